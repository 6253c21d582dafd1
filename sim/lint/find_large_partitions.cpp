#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "sim/base/partition_sizes.h"
#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"
#include "sim/size/closed_bucket.h"
#include "sim/text/text.h"

namespace windrow {

Scenario measurable(const Scenario& scenario, int table) {
  Scenario plain = scenario;
  std::erase_if(plain.writers, [&](const WriterSpec& writer) {
    return writer.table != table || writer.op == WriteOp::remove || writer.op == WriteOp::overwrite ||
           writer.backfill.has_value() || writer.rolling_buckets > 0 || writer.unique_partitions;
  });
  for (WriterSpec& writer : plain.writers)
    std::erase_if(writer.columns, [](const ColumnValue& value) { return value.collection || value.null; });
  return plain;
}

namespace {

void find_large_partitions(const LintTable& table, const LintSubject& subject, Report& report) {
  if (!table.written() || (!time_bucket(table, subject) && !expires_always(table))) return;
  const Scenario plain = measurable(subject.scenario->scenario, table.index);
  if (plain.writers.empty()) return;
  const ClosedBucket closed = closed_bucket(plain, table.index, BucketOf::most_rows);
  if (closed.classes.empty() || closed.partition_bytes.max <= large_partition_bytes) return;
  const auto largest = std::ranges::max_element(closed.classes, {}, &ClassPartitions::bytes);
  const auto stream = std::ranges::find(table.streams, largest->stream, &Named<StreamSection>::name);
  const Place place = stream != table.streams.end() ? (*stream)->place : subject.places.table(*table.schema);
  report.add(place, fmt::format("the largest partition has {} in {}",
                                human_bytes(static_cast<double>(closed.partition_bytes.max)),
                                count_of(static_cast<double>(closed.partition_rows.max), "row")));
}

}  // namespace

const LintRule large_partitions{
    .id = "large-partitions",
    .severity = Severity::warning,
    .what = "partitions above 100 MiB",
    .why =
        "Compaction and repair work on whole partitions, a read of many rows holds their index in memory, and one "
        "replica set carries the heat.",
    .fix = "A shorter bucket, or shards for the entities that need them; windrow size shows both.",
    .seen =
        "what a closed bucket, or without one TTL and gc_grace, hold of the scenario's fastest entity is larger than "
        "100 MiB before compression (collections not counted).",
    .find = find_large_partitions};

}  // namespace windrow
