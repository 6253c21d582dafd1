#include "sim/page/read_chart.h"

#include <algorithm>
#include <iterator>

#include "sim/page/captions.h"
#include "sim/page/spec.h"
#include "sim/page/thinning.h"

namespace windrow {

namespace {

using nlohmann::json;

constexpr const char* reads_file = "reads.csv";
const std::vector<std::string> read_columns = {"at", "read", "sstables_p99", "tombstones_p99"};

json tombstone_lines(const CsvColumns& reads) {
  double largest = 0;
  for (const auto& row : reads.rows) largest = std::max(largest, std::stod(row[3]));
  json lines = json::array();
  add_line(lines, 1'000, largest, "1,000: the server warns");
  add_line(lines, 100'000, largest, "100,000: the server refuses the read");
  return lines;
}

}  // namespace

void add_read_charts(const Facts& summary, const std::vector<std::string>& tables, const ResultTexts& texts,
                     TableCharts& charts) {
  if (!texts.contains(reads_file) || texts.at(reads_file).empty()) return;
  CsvColumns reads{.names = read_columns};
  for (const std::string& table : tables) {
    CsvColumns of_table = read_csv_columns(reads_file, texts.at(reads_file), read_columns, table, "table",
                                           fullest_node_name(summary.below("tables").below(table)));
    std::ranges::move(of_table.rows, std::back_inserter(reads.rows));
  }
  if (reads.rows.empty()) return;
  const json params{{"date_format", date_format(summary.text("start"), summary.text("end"))}};
  const auto add = [&](const char* name, const json& lines) {
    charts.charts.push_back(
        made_chart(name, reads_caption(summary, reads), filled_spec(chart_spec(name), params, lines, {}), reads_file));
  };
  add("read-sstables", json::array());
  if (reads.any_above("tombstones_p99", 0)) add("read-tombstones", tombstone_lines(reads));
  charts.files[reads_file] = columns_json(reads);
}

}  // namespace windrow
