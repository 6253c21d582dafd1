#include "sim/page/chart_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "sim/base/units.h"
#include "sim/page/iso.h"
#include "sim/page/thinning.h"

namespace windrow {

namespace {

// What a chart of some 900 points can show.
constexpr std::size_t timeline_rows = 300;
constexpr std::size_t sstable_rows = 150;
constexpr std::size_t window_cells = 150;
constexpr std::size_t compaction_steps = 160;
constexpr std::size_t drop_dates = 160;

}  // namespace

bool ChartData::any_above(const std::string& file, std::string_view column, double bound) const {
  return files.at(file).any_above(column, bound);
}

std::pair<double, double> ChartData::extremes(const std::string& file, std::string_view column) const {
  const CsvColumns& columns = files.at(file);
  const std::size_t place = columns.place(column);
  std::pair<double, double> found = {0, 0};
  for (const auto& row : columns.rows) {
    const double value = cell_number(row[place]);
    if (value <= 0) continue;
    found.first = found.first > 0 ? std::min(found.first, value) : value;
    found.second = std::max(found.second, value);
  }
  return found;
}

std::int64_t ChartData::spread_ms(const std::string& file, std::string_view from, std::string_view to) const {
  const CsvColumns& columns = files.at(file);
  if (columns.rows.empty()) return 0;
  std::int64_t first_s = INT64_MAX;
  std::int64_t last_s = INT64_MIN;
  for (const auto& row : columns.rows) {
    first_s = std::min(first_s, iso_seconds(row[columns.place(from)]));
    last_s = std::max(last_s, iso_seconds(row[columns.place(to)]));
  }
  return std::max<std::int64_t>(0, last_s - first_s) * 1000;
}

double ChartData::highest_bar(const std::string& file, std::string_view same, std::string_view sum) const {
  const CsvColumns& columns = files.at(file);
  std::map<std::string, double> bars;
  for (const auto& row : columns.rows) bars[row[columns.place(same)]] += cell_number(row[columns.place(sum)]);
  double highest = 0;
  for (const auto& [place, height] : bars) highest = std::max(highest, height);
  return highest;
}

nlohmann::json ChartData::json() const {
  nlohmann::json all = nlohmann::json::object();
  for (const auto& [file, columns] : files) all[file] = columns_json(columns);
  return all;
}

ChartData read_chart_data(const Facts& facts, const std::string& table, const ResultTexts& texts) {
  ChartData data;
  const std::string node = fullest_node_name(facts);
  const auto text_of = [&](const std::string& file) -> const ResultText& {
    const auto text = texts.find(file);
    if (text == texts.end()) throw PageError(fmt::format("there is no {}: run the scenario again", file));
    return text->second;
  };
  const auto read = [&](const std::string& file, const std::vector<std::string>& names) -> CsvColumns& {
    return data.files[file] = read_csv_columns(file, text_of(file), names, table, "table", node);
  };
  std::vector<std::string> timeline = {"at",
                                       "readable_bytes",
                                       "waiting_gc_grace_bytes",
                                       "purgeable_bytes",
                                       "blocked_bytes",
                                       "temporary_bytes",
                                       "disk_bytes_max",
                                       "sstables",
                                       "sstables_max",
                                       "tombstones",
                                       "droppable_tombstones",
                                       "droppable_tombstone_ratio",
                                       "pending_compactions",
                                       "pending_compactions_max",
                                       "partitions",
                                       "partition_p50_bytes",
                                       "partition_p99_bytes",
                                       "partition_max_bytes",
                                       "sstables_per_partition"};
  if (has_csv_column(texts.at("timeline.csv"), "snapshot_bytes")) timeline.emplace_back("snapshot_bytes");
  thin_timeline(read("timeline.csv", timeline), timeline_rows);
  CsvColumns& sstables = data.files["sstables.csv"];
  sstables.names = {"sstable",    "bytes",       "oldest_write", "newest_write", "last_expiry", "droppable_at",
                    "blocked_by", "holds_bytes", "goes_at",      "was_blocker",  "state_at_end"};
  each_result_row("sstables.csv", text_of("sstables.csv"), sstables.names, table, "table", node, [&](auto& row) {
    if (row.back() != "gone") sstables.rows.emplace_back(row.begin(), row.end());  // of levels, hardly any
  });
  data.sstables_left_out = keep_sstables_at_end(sstables, sstable_rows);
  CsvColumns& windows = read("windows.csv", {"window", "from", "to", "sstables", "bytes"});
  const bool has_windows = facts.of("window_s").known();
  if (!has_windows) windows.rows.clear();
  if (has_windows)
    data.window_row_s = sum_windows(windows, window_cells, static_cast<std::int64_t>(facts.number("window_s")));
  data.compactions_time_unit = sum_compactions(
      read("compactions.csv", {"end", "reason", "count", "read_bytes", "output_bytes"}), compaction_steps);
  data.tombstone_row_s = sum_drop_dates(read("tombstones.csv", {"drop_date", "why_it_stays", "count"}), drop_dates);
  read("growth.csv", {"rank", "entity", "bucket", "shard", "at", "age_s", "rows", "bytes"});
  read("sizes.csv", {"bucket", "bucket_length_s", "shards", "own", "partition_p50_bytes", "partition_p99_bytes",
                     "partition_max_bytes", "partition_max_rows", "partitions_per_year", "verdict"});
  CsvColumns& partitions = read("partitions.csv", {"scope", "quantity", "from", "to", "partitions"});
  std::erase_if(partitions.rows, [](const auto& row) { return row[0] != "logical" || row[1] != "bytes"; });
  return data;
}

}  // namespace windrow
