#include "sim/words/csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>

#include "sim/base/check.h"
#include "sim/words/scenario_error.h"

#ifndef CSV_IO_NO_THREAD
#define CSV_IO_NO_THREAD
#endif
#include <libfccp/csv.h>

namespace windrow {

namespace {

constexpr std::size_t most_columns = 4;
using Reader = io::CSVReader<most_columns, io::trim_chars<' ', '\t'>, io::double_quote_escape<',', '"'>,
                             io::throw_on_overflow, io::empty_line_comment>;

[[noreturn]] void refuse_line(const std::shared_ptr<const SourceText>& source, int line, std::string problem,
                              std::string accepted = {}) {
  const Place place{.source = source,
                    .line = line,
                    .column = 1,
                    .length = line > 0 ? std::max(1, count_characters(source->line(line))) : 1};
  throw ScenarioError({.place = place, .problem = std::move(problem), .accepted = std::move(accepted)});
}

bool read_rows(Reader& reader, const std::vector<std::string>& names, const CsvTable& table, const EachCsvRow& each) {
  std::array<std::string, most_columns> cells;
  CsvTable::Row row;
  bool any = false;
  while (reader.read_row(cells[0], cells[1], cells[2], cells[3])) {
    row.line = static_cast<int>(reader.get_file_line());
    row.cells.resize(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) row.cells[i] = table.has[i] ? cells[i] : std::string();
    each(table, row);
    any = true;
  }
  return any;
}

// The library's header check names only one column; ours says which are there.
void check_header(const Reader& reader, const std::vector<std::string>& names, std::size_t required, CsvTable& table) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    table.has.push_back(reader.has_column(names[i]));
    if (i < required && !table.has[i]) {
      refuse_line(table.source, 1, fmt::format("has no column `{}`", names[i]),
                  fmt::format("columns {}", fmt::join(names, ", ")));
    }
  }
}

}  // namespace

void each_csv_row(std::shared_ptr<const SourceText> source, const std::vector<std::string>& names, std::size_t required,
                  const EachCsvRow& each) {
  SIM_CHECK(names.size() <= most_columns && required <= names.size(), "too many columns asked of a CSV file");
  CsvTable table{.source = std::move(source), .has = {}, .rows = {}};
  const std::string& text = table.source->text;
  if (text.find_first_not_of(" \t\r\n\xEF\xBB\xBF") == std::string::npos)
    refuse_line(table.source, 0, "is empty",
                fmt::format("a line with the names {}, and lines of data", fmt::join(names, ",")));
  if (text.find('\0') != std::string::npos) refuse_line(table.source, 0, "is no text");
  std::vector<std::string> asked = names;
  while (asked.size() < most_columns) asked.push_back(fmt::format("\x01{}", asked.size()));
  bool any = false;
  try {
    Reader reader(table.source->name, text.data(), text.data() + text.size());
    reader.read_header(io::ignore_extra_column | io::ignore_missing_column, asked[0], asked[1], asked[2], asked[3]);
    check_header(reader, names, required, table);
    any = read_rows(reader, names, table, each);
  } catch (const io::error::too_few_columns& error) {
    refuse_line(table.source, error.file_line, "has fewer cells than the first line");
  } catch (const io::error::too_many_columns& error) {
    refuse_line(table.source, error.file_line, "has more cells than the first line");
  } catch (const io::error::escaped_string_not_closed& error) {
    refuse_line(table.source, std::max(error.file_line, 1), "has a quoted cell without its end",
                "cells within one line");
  } catch (const io::error::base& error) {
    refuse_line(table.source, 0, error.what());
  }
  if (!any) refuse_line(table.source, 0, "has no lines of data", fmt::format("lines with {}", fmt::join(names, ",")));
}

CsvTable read_csv(std::shared_ptr<const SourceText> source, const std::vector<std::string>& names,
                  std::size_t required) {
  CsvTable table;
  each_csv_row(std::move(source), names, required, [&](const CsvTable& header, CsvTable::Row& row) {
    if (table.rows.empty()) table = header;
    table.rows.push_back(row);
  });
  return table;
}

}  // namespace windrow
