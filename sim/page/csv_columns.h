#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace windrow {

/// Some columns of a result file, cell by cell as text. Names that got an apostrophe for spreadsheets have lost it
/// again.
struct CsvColumns {
  std::vector<std::string> names{};
  std::vector<std::vector<std::string>> rows{};  // each in the order of the names

  std::size_t place(std::string_view name) const;
};

/// The rows that have `table` in the column `of`, of the columns named. Throws PageError if the text is no such file.
CsvColumns read_csv_columns(const std::string& file, const std::string& text, const std::vector<std::string>& names,
                            const std::string& table, const std::string& of = "table");

/// Column by column; what is a number becomes one, an empty cell null.
nlohmann::json columns_json(const CsvColumns& columns);

}  // namespace windrow
