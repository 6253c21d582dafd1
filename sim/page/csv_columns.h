#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sim/page/result_text.h"

namespace windrow {

/// Some columns of a result file, cell by cell as text. Names that got an apostrophe for spreadsheets have lost it
/// again.
struct CsvColumns {
  std::vector<std::string> names{};
  std::vector<std::vector<std::string>> rows{};  // each in the order of the names

  std::size_t place(std::string_view name) const;
  /// True if a cell of the column is a number above this; false without such a column.
  bool any_above(std::string_view name, double bound) const;
};

/// The rows that have `table` in the column `of`, of the columns named; of one node if one is named. Throws PageError
/// if the text is no such file.
CsvColumns read_csv_columns(const std::string& file, const ResultText& text, const std::vector<std::string>& names,
                            const std::string& table, const std::string& of = "table", const std::string& node = {});
/// The same row by row: cells are good until the next one.
void each_result_row(const std::string& file, const ResultText& text, const std::vector<std::string>& names,
                     const std::string& table, const std::string& of, const std::string& node,
                     const std::function<void(const std::vector<std::string_view>& row)>& each);

/// What a cell says, 0 without a number.
double cell_number(const std::string& cell);

/// True if the file's first line names the column.
bool has_csv_column(const ResultText& text, std::string_view name);

/// Column by column; what is a number becomes one, an empty cell null.
nlohmann::json columns_json(const CsvColumns& columns);

}  // namespace windrow
