#include <fmt/format.h>

#include <algorithm>

#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"
#include "sim/size/key_roles.h"

namespace windrow {

namespace {

bool sorts_by_bucket(const LintTable& table) {
  const Column* time = time_column(*table.schema);
  return std::ranges::any_of(table.schema->clustering(), [&](const Column& column) {
    return &column != time && names_a_bucket(*table.schema, column) && !is_said_to_be_time(table, column) &&
           (time == nullptr || column.position < time->position);
  });
}

/// A schema alone: partitions are things that begin and end, as a session: nothing is written to an old one.
bool partitions_end(const LintTable& table) {
  const auto key = table.schema->partition_key();
  return !table.written() && key.size() == 1 &&
         (key.front().type.kind == CqlType::Kind::timeuuid || names_a_thing_that_ends(key.front()));
}

std::string growth(const LintTable& table, const LintSubject& subject) {
  if (!table.written()) return "a partition grows for as long as its entity writes";
  const Scenario& scenario = subject.scenario->scenario;
  const Seconds held_s = (scenario.end_us - scenario.start_us) / us_per_s;
  double rows = 0;
  for (const WriterSpec* writer : table.writers) {
    const double per_partition = writer->rows_per_s() / static_cast<double>(writer->entities * writer->shards);
    rows = std::max(rows, per_partition * static_cast<double>(held_s));
  }
  return fmt::format("a partition reaches {} in {}", count_of(rows, "row"), span_text(held_s));
}

void find_no_time_bucket(const LintTable& table, const LintSubject& subject, Report& report) {
  const bool unique =
      std::ranges::any_of(table.writers, [](const WriterSpec* writer) { return writer->unique_partitions; });
  if (!is_time_series(table) || !is_append_only(table) || unique || is_table_per_period(table) || partitions_end(table))
    return;
  if (expires_always(table)) return;  // find_ttl_bounds_partition, find_large_partitions
  if (time_bucket(table, subject) || sorts_by_bucket(table)) return;
  if (!table.written() && may_be_bucket_or_entity(*table.schema)) return;  // find_bucket_or_entity
  report.add(subject.places.table(*table.schema),
             fmt::format("no column of the partition key is a time bucket: {}", growth(table, subject)));
}

}  // namespace

const LintRule no_time_bucket{
    .id = "no-time-bucket",
    .severity = Severity::error,
    .what = "nothing bounds a partition in time",
    .why =
        "A partition lives on one set of replicas, is repaired and compacted as one, and lies in every SSTable that "
        "its time span touches; "
        "no SSTable with a part of it can go while the others are needed.",
    .fix = "Add a bucket to the partition key, PRIMARY KEY ((entity, day), time); windrow size says which length.",
    .seen =
        "rows are ordered by time, more than one a day, are only added, some never expire, and neither a bucket in the "
        "partition key nor a "
        "table per month divides them; in a schema, unless the key is one timeuuid or named a session, trace, job, …: "
        "these end; or named a bucket of nobody knows what: bucket-or-entity; or several ids stand before the time: "
        "series-or-state.",
    .find = find_no_time_bucket};

}  // namespace windrow
