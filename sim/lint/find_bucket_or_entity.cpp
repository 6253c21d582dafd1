#include <fmt/format.h>

#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"
#include "sim/size/key_roles.h"

namespace windrow {

namespace {

void find_bucket_or_entity(const LintTable& table, const LintSubject& subject, Report& report) {
  if (table.written() || !is_time_series(table) || is_table_per_period(table)) return;
  const auto guess = guessed_bucket(*table.schema);
  if (!guess && !may_be_bucket_or_entity(*table.schema)) return;
  const std::string& name = (guess ? *guess->column : table.schema->partition_key().front()).name;
  const bool is_text = guess || table.schema->partition_key().front().type.kind == CqlType::Kind::text;
  const bool whole = table.schema->partition_key().size() == 1;
  report.add(subject.places.column(*table.schema, name),
             fmt::format("is {} a time{}, or {} that stays? It {}, and does not say", name,
                         guess ? ", as in " + guess->languages : "", is_text ? "something" : "a number",
                         whole ? "is the whole partition key" : "stands in a partition key that names no other time"));
}

}  // namespace

const LintRule bucket_or_entity{
    .id = "bucket-or-entity",
    .severity = Severity::note,
    .what = "a bucket of nobody knows what, or a word that is a time in another language",
    .why =
        "If it is a time and the whole key, all writers of that time share one partition on one set of replicas "
        "(time-only-partition-key); "
        "if it is something that stays, each partition grows for as long as somebody writes (no-time-bucket).",
    .fix =
        "windrow new asks which it is, and windrow lint of the answered scenario says what follows; "
        "or a name that tells: day, hour, bucket_10min, shard.",
    .seen =
        "in a schema alone: rows are ordered by time, and the partition key is one column called bucket, partition, "
        "slot, "
        "interval, … without a length, and is neither a date nor a timestamp; or no column of it is a time bucket but "
        "one whose name is in another language: dia, tag, data, ora, mes.",
    .find = find_bucket_or_entity};

}  // namespace windrow
