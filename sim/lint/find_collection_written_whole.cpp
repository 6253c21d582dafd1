#include <fmt/format.h>

#include <algorithm>

#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"

namespace windrow {

namespace {

/// Nothing is known of the writes, or they replace the whole value.
bool is_replaced(const LintTable& table, const Column& column) {
  if (!table.written()) return true;
  return std::ranges::any_of(table.writers, [&](const WriterSpec* writer) {
    return std::ranges::any_of(writer->columns, [&](const ColumnValue& value) {
      return value.column == column.name && value.collection && !value.append;
    });
  });
}

void find_collection_written_whole(const LintTable& table, const LintSubject& subject, Report& report) {
  for (const Column& column : table.schema->columns) {
    if (!column.type.is_multi_cell() || !is_replaced(table, column)) continue;
    report.add(
        subject.places.column(*table.schema, column.name),
        fmt::format("each INSERT of {} writes a tombstone first, and then a cell for every element", column.name),
        fmt::format("{} frozen<{}>", column.name, column.type.to_string()));
  }
}

}  // namespace

const LintRule collection_written_whole{
    .id = "collection-written-whole",
    .severity = Severity::warning,
    .what = "a collection that is not frozen is written as a whole",
    .why =
        "Replacing a collection deletes the old one: a tombstone a row even where there was nothing before. Reads "
        "count it, compaction keeps it for "
        "gc_grace, and every element is a cell with a path of its own.",
    .fix = "frozen<…> if it is always written whole; or add elements with `+` in an UPDATE.",
    .seen =
        "a column is a collection or user type that is not frozen, and streams write it without `append`; in a schema "
        "alone, always.",
    .find = find_collection_written_whole};

}  // namespace windrow
