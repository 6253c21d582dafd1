#include "sim/page/load_charts.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

#include "sim/base/units.h"
#include "sim/page/captions.h"
#include "sim/page/iso.h"
#include "sim/page/spec.h"

namespace windrow {

namespace {

using nlohmann::json;

constexpr const char* load_file = "load.csv";
constexpr const char* nodes_file = "nodes.csv";
constexpr std::int64_t most_cells = 150;  // along a chart of some 900 points

/// Rows of all data centres.
CsvColumns rows_of(const Facts& summary, const ResultTexts& texts, const char* file,
                   const std::vector<std::string>& names) {
  CsvColumns all{.names = names};
  std::set<std::string> centers;
  const Facts nodes = summary.below("nodes");
  for (std::size_t i = 0; i < nodes.size(); ++i) centers.insert(nodes.below(i).text("dc"));
  for (const std::string& center : centers) {
    CsvColumns rows = read_csv_columns(file, texts.at(file), names, center, "dc");
    std::ranges::move(rows.rows, std::back_inserter(all.rows));
  }
  return all;
}

/// Days that a cell stands for, so that there are no more than `most_cells`.
std::int64_t days_a_cell(const Facts& summary) {
  const std::int64_t length_s = iso_seconds(summary.text("end")) - iso_seconds(summary.text("start"));
  const std::int64_t days = (length_s + seconds_per_day - 1) / seconds_per_day;
  return std::max<std::int64_t>(1, (days + most_cells - 1) / most_cells);
}

/// Of a node's rows within a cell the one that is furthest above the mean.
void keep_worst(CsvColumns& load, std::int64_t first_s, std::int64_t cell_s) {
  const std::size_t at = load.place("at");
  const std::size_t node = load.place("node");
  const std::size_t over = load.place("over_mean");
  const auto value = [&](const auto& row) { return std::strtod(row[over].c_str(), nullptr); };
  std::map<std::pair<std::int64_t, std::string>, std::size_t> worst;
  for (std::size_t i = 0; i < load.rows.size(); ++i) {
    const std::int64_t cell = (iso_seconds(load.rows[i][at]) - first_s) / cell_s;
    const auto [place, fresh] = worst.try_emplace({cell, load.rows[i][node]}, i);
    if (!fresh && value(load.rows[i]) > value(load.rows[place->second])) place->second = i;
  }
  std::vector<std::vector<std::string>> kept;
  for (const auto& [cell, i] : worst) kept.push_back(std::move(load.rows[i]));
  load.rows = std::move(kept);
}

}  // namespace

void add_load_charts(const Facts& summary, const ResultTexts& texts, TableCharts& charts) {
  if (!texts.contains(load_file) || texts.at(load_file).empty()) return;
  const std::size_t nodes = summary.below("nodes").size();
  const std::int64_t cell_s = days_a_cell(summary) * seconds_per_day;
  const std::int64_t first_s = iso_seconds(summary.text("start")) / seconds_per_day * seconds_per_day;
  CsvColumns load = rows_of(summary, texts, load_file,
                            {"at", "node", "writes", "over_mean", "stream", "entity", "bucket", "shard", "replicas"});
  keep_worst(load, first_s, cell_s);
  const CsvColumns peaks =
      rows_of(summary, texts, nodes_file, {"node", "quantity", "at", "value", "over_mean", "entity"});
  // Some twenty points a node, as far as there is room.
  const json params{{"date_format", date_format(summary.text("start"), summary.text("end"))},
                    {"first_ms", first_s * 1000},
                    {"row_ms", cell_s * 1000},
                    {"nodes", nodes},
                    {"height", std::clamp<std::size_t>(nodes * 20, 80, 520)}};
  charts.charts.push_back(made_chart("node-load", node_load_caption(summary),
                                     filled_spec(chart_spec("node-load"), params, json::array(), {}), load_file));
  json lines = json::array();
  add_line(lines, 1, 3, "the mean node");
  charts.charts.push_back(made_chart("node-peaks", node_peaks_caption(summary),
                                     filled_spec(chart_spec("node-peaks"), {{"nodes", nodes}}, lines, {}), nodes_file));
  const bool several =
      std::ranges::any_of(peaks.rows, [&](const auto& row) { return row[peaks.place("quantity")] == "disk_bytes"; });
  if (several)
    charts.charts.push_back(made_chart("node-disks", node_disks_caption(summary),
                                       filled_spec(chart_spec("node-disks"), {{"nodes", nodes}}, lines, {}),
                                       nodes_file));
  const bool alone =
      std::ranges::any_of(load.rows, [&](const auto& row) { return !row[load.place("replicas")].empty(); });
  if (alone)
    charts.charts.push_back(made_chart("node-buckets", node_buckets_caption(summary),
                                       filled_spec(chart_spec("node-buckets"), params, json::array(), {}), load_file));
  charts.files[load_file] = columns_json(load);
  charts.files[nodes_file] = columns_json(peaks);
}

}  // namespace windrow
