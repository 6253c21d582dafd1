#include "sim/page/node_charts.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>

#include "sim/page/captions.h"
#include "sim/page/chart_data.h"
#include "sim/page/load_charts.h"
#include "sim/page/read_chart.h"
#include "sim/page/repair_chart.h"
#include "sim/page/spec.h"
#include "sim/page/thinning.h"

namespace windrow {

namespace {

using nlohmann::json;

constexpr std::array stages = {"readable_bytes", "waiting_gc_grace_bytes", "purgeable_bytes",
                               "blocked_bytes",  "temporary_bytes",        "snapshot_bytes"};
constexpr const char* data_name = "timeline.csv";

/// Each sample's bytes of all tables, by stage; `other_bytes` beside them where there are some.
CsvColumns summed_timeline(const std::vector<std::string>& tables, const ResultText& text, double other_bytes,
                           const std::string& node) {
  CsvColumns sums{.names = {"at"}};
  for (const char* stage : stages) {
    if (has_csv_column(text, stage)) sums.names.emplace_back(stage);
  }
  const std::size_t summed = sums.names.size();
  std::map<std::string, std::vector<double>> by_time;
  for (const std::string& table : tables) {
    for (const auto& row : read_csv_columns(data_name, text, sums.names, table, "table", node).rows) {
      std::vector<double>& sum = by_time.try_emplace(row[0], summed, 0.0).first->second;
      for (std::size_t i = 1; i < summed; ++i) sum[i] += std::strtod(row[i].c_str(), nullptr);
    }
  }
  const auto whole = [](double bytes) { return std::to_string(static_cast<std::int64_t>(bytes)); };
  if (other_bytes > 0) sums.names.emplace_back("other_bytes");
  for (const auto& [at, sum] : by_time) {
    std::vector<std::string> row = {at};
    for (std::size_t i = 1; i < summed; ++i) row.push_back(whole(sum[i]));
    if (other_bytes > 0) row.push_back(whole(other_bytes));
    sums.rows.push_back(std::move(row));
  }
  return sums;
}

double highest_stack(const CsvColumns& sums) {
  double highest = 0;
  for (const auto& row : sums.rows) {
    double stack = 0;
    for (std::size_t i = 1; i < row.size(); ++i) stack += std::strtod(row[i].c_str(), nullptr);
    highest = std::max(highest, stack);
  }
  return highest;
}

}  // namespace

json disk_size_lines(const Facts& summary, double largest, bool whole_node) {
  json lines = json::array();
  const Facts node = fullest_node(summary);
  const double capacity = node.number("disk_capacity_bytes");
  add_line(lines, capacity, largest, Sentence().say("the node's disk, {disk_capacity_bytes}", node).text());
  const double other = node.number("other_disk_bytes");
  // A table stands for itself: what other data takes is no part of its stack.
  const double above = whole_node ? 0 : other;
  if (!whole_node && other > 0) add_line(lines, capacity - other, largest, "what other data leaves of it");
  const Facts limits = summary.below("limits");
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const Facts one = limits.below(i);
    if (one.text("name") != "disk_used_share") continue;
    Sentence what;
    what.say("limit, {bound:share} of the disk", one).say(above > 0 ? " with all other data" : "");
    add_line(lines, capacity * one.number("bound") - above, largest, what.text());
  }
  return lines;
}

namespace {

void add_disk(const Facts& summary, const std::vector<std::string>& tables, const ResultTexts& texts,
              TableCharts& result) {
  const Facts node = fullest_node(summary);
  const double other = node.number("other_disk_bytes");
  if (tables.size() < 2 && other <= 0) return;
  CsvColumns sums = summed_timeline(tables, texts.at(data_name), other,
                                    fullest_node_name(summary.below("tables").below(tables.front())));
  const double highest = highest_stack(sums);
  if (highest <= 0) return;
  thin_evenly(sums, 300);
  json params = bytes_params(highest);
  params["date_format"] = date_format(summary.text("start"), summary.text("end"));
  json spec = filled_spec(chart_spec("node-disk"), params, disk_size_lines(summary, highest, true), {});
  drop_empty_series(spec, [&](const std::string& column) { return sums.any_above(column, 0); });
  result.charts.push_back(made_chart("node-disk", node_disk_caption(summary, tables), std::move(spec), data_name));
  result.files[data_name] = columns_json(sums);
}

}  // namespace

TableCharts node_charts(const Facts& summary, const std::vector<std::string>& tables, const ResultTexts& texts) {
  TableCharts result;
  add_repair_chart(summary, tables, texts, result);
  add_load_charts(summary, texts, result);
  add_read_charts(summary, tables, texts, result);
  add_disk(summary, tables, texts, result);
  return result;
}

}  // namespace windrow
