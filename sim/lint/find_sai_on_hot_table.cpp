#include <fmt/format.h>

#include <algorithm>

#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"

namespace windrow {

namespace {

constexpr double hot_rows_per_s = 1'000;

/// What is near a vector no second table can answer.
bool is_vector(const Table& table, const std::string& target) {
  const Column* column = table.find_column(target);
  return column != nullptr && column->type.kind == CqlType::Kind::vector;
}

void find_sai_on_hot_table(const LintTable& table, const LintSubject& subject, Report& report) {
  if (!is_time_series(table)) return;
  double rows_per_s = 0;
  for (const WriterSpec* writer : table.writers) rows_per_s += writer->rows_per_s();
  if (table.written()) {
    const DataCenter& center = subject.scenario->scenario.data_centers.front();
    rows_per_s *=
        static_cast<double>(std::min(center.replication_factor, center.nodes)) / static_cast<double>(center.nodes);
    if (rows_per_s < hot_rows_per_s) return;
  }
  for (const Index& index : table.schema->indexes) {
    if (!index.is_sai()) continue;
    const std::string rate = table.written() ? fmt::format(" at {} rows/s on each node", count_text(rows_per_s)) : "";
    report.add(
        subject.places.index(*table.schema, index.target),
        fmt::format("every row is indexed by {} when it is written, flushed and compacted{}", index.target, rate),
        is_vector(*table.schema, index.target)
            ? "Queries that name the partition, too; or vectors in a table of few writes."
            : std::string());
  }
}

}  // namespace

const LintRule sai_on_hot_table{
    .id = "sai-on-hot-table",
    .severity = Severity::warning,
    .what = "a storage-attached index on a table with many writes",
    .why =
        "Each SSTable carries its own index: more memory per memtable, more work and bytes per flush and compaction, "
        "and a query without the "
        "partition key asks the index of every SSTable of every window.",
    .fix = "A second table by that column; or the index only where queries name the partition too.",
    .seen = "a table in order of time has a SAI index and a node gets 1,000 rows/s or more; in a schema alone, always.",
    .find = find_sai_on_hot_table};

}  // namespace windrow
