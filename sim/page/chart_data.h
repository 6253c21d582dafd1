#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/page/csv_columns.h"
#include "sim/page/facts.h"

namespace windrow {

/// The rows of one table that the page shows, and how they were thinned.
struct ChartData {
  std::map<std::string, CsvColumns> files{};
  std::string compactions_time_unit{};  // Vega-Lite's name
  bool sstables_left_out = false;       // only the largest are among the rows
  std::int64_t window_row_s = 0;        // seconds of data that a row of windows.csv stands for
  std::int64_t tombstone_row_s = 0;     // the same of tombstones.csv

  bool has(const std::string& file) const { return !files.at(file).rows.empty(); }
  /// True if a cell of the column is a number above this.
  bool any_above(const std::string& file, std::string_view column, double bound) const;
  /// Smallest and largest number above 0 of a column; 0 and 0 if there is none.
  std::pair<double, double> extremes(const std::string& file, std::string_view column) const;
  /// From the earliest time of one column to the latest of another.
  std::int64_t spread_ms(const std::string& file, std::string_view from, std::string_view to) const;
  /// The largest sum of a column over rows that have the same cell in another.
  double highest_bar(const std::string& file, std::string_view same, std::string_view sum) const;
  /// Column by column; what is a number becomes one, an empty cell null.
  nlohmann::json json() const;
};

/// `texts` are the CSV files by name.
ChartData read_chart_data(const Facts& table_facts, const std::string& table, const ResultTexts& texts);

}  // namespace windrow
