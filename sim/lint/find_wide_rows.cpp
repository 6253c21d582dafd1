#include <fmt/format.h>

#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"

namespace windrow {

namespace {

constexpr std::size_t many_columns = 64;
constexpr double large_row_bytes = 64.0 * 1024;

double row_bytes(const WriterSpec& writer) {
  double bytes = 0;
  for (const ColumnValue& column : writer.columns) {
    double key = 0;
    for (const std::int32_t size : column.element_key_sizes_bytes) key += size;
    key /= static_cast<double>(column.element_key_sizes_bytes.size());
    bytes += column.collection ? column.elements * (column.mean_bytes() + key) : column.mean_bytes();
  }
  return bytes;
}

void find_wide_rows(const LintTable& table, const LintSubject& subject, Report& report) {
  const std::size_t columns = table.schema->regular_columns().size();
  if (columns >= many_columns) {
    report.add(
        subject.places.table(*table.schema),
        fmt::format("a row has {} columns: each costs a cell, and rows that lack some list them one by one", columns));
  }
  for (const Named<StreamSection>* stream : table.streams) {
    for (const WriterSpec* writer : table.writers) {
      if (writer->stream != stream->name || row_bytes(*writer) < large_row_bytes) continue;
      report.add(stream->place,
                 fmt::format("a row has {} bytes of values; one row is more than a block of the row index",
                             count_text(row_bytes(*writer))));
      break;
    }
  }
}

}  // namespace

const LintRule wide_rows{.id = "wide-rows",
                         .severity = Severity::warning,
                         .what = "rows of very many columns or bytes",
                         .why =
                             "A row is read, merged and rewritten as a whole, in memory. From 64 columns on the "
                             "missing ones are written as a list instead of a "
                             "bit each; above 64 KiB every row is a block of the row index of its own.",
                         .fix =
                             "Columns that are read together go into one frozen value or another table; large values "
                             "into an object store, with their address here.",
                         .seen = "a table has 64 regular columns or more, or a stream writes rows of 64 KiB or more.",
                         .find = find_wide_rows};

}  // namespace windrow
