#include <fmt/format.h>

#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"
#include "sim/size/key_roles.h"

namespace windrow {

namespace {

void find(const LintTable& table, const LintSubject& subject, Report& report) {
  if (table.written() || !is_time_series(table) || is_table_per_period(table)) return;
  if (!may_be_bucket_or_entity(*table.schema)) return;
  const std::string& name = table.schema->partition_key().front().name;
  report.add(
      subject.places.column(*table.schema, name),
      fmt::format("is {} a time, or a number that stays? It is the whole partition key, and does not say", name));
}

}  // namespace

const LintRule bucket_or_entity{
    .id = "bucket-or-entity",
    .severity = Severity::note,
    .what = "the partition key is a bucket, and nothing says of what",
    .why =
        "If it is a time, all writers of that time share one partition on one set of replicas "
        "(time-only-partition-key); "
        "if it is a number that rows are spread over, each partition grows for as long as somebody writes "
        "(no-time-bucket).",
    .fix =
        "windrow new asks which it is, and windrow lint of the answered scenario says what follows; "
        "or a name that tells: day, hour, bucket_10min, shard.",
    .seen =
        "in a schema alone: rows are ordered by time, and the partition key is one column called bucket, partition, "
        "slot, "
        "interval, … without a length, and is neither a date nor a timestamp.",
    .find = find};

}  // namespace windrow
