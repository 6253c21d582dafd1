#pragma once

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

/// The rows of one table, of the columns named. Throws PageError if the text is no such file.
CsvColumns read_csv_columns(const std::string& file, const std::string& text, const std::vector<std::string>& names,
                            const std::string& table);

}  // namespace windrow
