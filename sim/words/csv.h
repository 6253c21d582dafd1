#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/words/source_text.h"

namespace windrow {

/// Columns of a CSV file, by name.
struct CsvTable {
  struct Row {
    int line = 0;
    std::vector<std::string> cells{};  // in the order of the names asked for; empty where the file lacks the column
  };
  std::shared_ptr<const SourceText> source{};
  std::vector<bool> has{};  // which of the names the file has
  std::vector<Row> rows{};

  Place place(const Row& row) const { return {.source = source, .line = row.line, .column = 1}; }
};

/// The columns that are there, and each line in turn: for files of millions of lines.
using EachCsvRow = std::function<void(const CsvTable& header, CsvTable::Row& row)>;
void each_csv_row(std::shared_ptr<const SourceText> source, const std::vector<std::string>& names, std::size_t required,
                  const EachCsvRow& each);

/// Reads CSV (RFC 4180, first line = names; quoted cells stay on one line). `names`: at most four, the first `required`
/// must be there. A file without lines, a ragged line, an unclosed quote are ScenarioErrors with the line.
CsvTable read_csv(std::shared_ptr<const SourceText> source, const std::vector<std::string>& names,
                  std::size_t required);

}  // namespace windrow
