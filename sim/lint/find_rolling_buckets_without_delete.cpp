#include <fmt/format.h>

#include <algorithm>

#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"
#include "sim/size/key_roles.h"

namespace windrow {

namespace {

bool is_small_number(const CqlType& type) {
  using Kind = CqlType::Kind;
  return type.kind == Kind::int_ || type.kind == Kind::smallint || type.kind == Kind::tinyint;
}

void find_in_scenario(const LintTable& table, const LintSubject& subject, Report& report) {
  const bool deletes =
      std::ranges::any_of(table.writers, [](const WriterSpec* writer) { return writer->op == WriteOp::remove; });
  if (deletes) return;
  for (const Named<StreamSection>* stream : table.streams) {
    for (const auto& [name, rule] : stream->section.column) {
      const ColumnRule& first = rule->parts.front().value;
      if (first.rolling == 0) continue;
      const Seconds turn_s = first.rolling * first.bucket.nominal_length_s();
      const Seconds ttl_s = longest_ttl(table);
      if (expires_always(table) && ttl_s <= turn_s) continue;
      const Scenario& scenario = subject.scenario->scenario;
      const Seconds held_s = expires_always(table) ? ttl_s : (scenario.end_us - scenario.start_us) / us_per_s;
      report.add(rule.place(),
                 fmt::format("after {} the first bucket is written again over what it still holds: {} turns in {}",
                             span_text(turn_s), count_text(static_cast<double>(held_s) / static_cast<double>(turn_s)),
                             span_text(held_s)));
    }
  }
}

void find(const LintTable& table, const LintSubject& subject, Report& report) {
  if (table.written()) return find_in_scenario(table, subject, report);
  const Column* bucket = bucket_column(*table.schema);
  const bool repeats = bucket != nullptr && is_small_number(bucket->type) && bucket_length_named(*bucket) == 0;
  if (!repeats || !is_time_series(table) || expires_always(table)) return;
  report.add(subject.places.column(*table.schema, bucket->name),
             fmt::format("if the numbers in {} repeat (0 to 23), every turn adds rows to the partitions of the turn "
                         "before: nothing deletes them and "
                         "there is no TTL",
                         bucket->name));
}

}  // namespace

const LintRule rolling_buckets_without_delete{
    .id = "rolling-buckets-without-delete",
    .severity = Severity::error,
    .what = "a fixed number of buckets is used in turn, and nothing empties them",
    .why =
        "A bucket that comes round again is the same partition: it holds the rows of every turn, grows without end, "
        "and reads find rows of "
        "yesterday among today's.",
    .fix =
        "Put the date into the partition key, or a TTL of at most one turn; deleting each bucket before its turn works "
        "and costs a tombstone a bucket.",
    .seen =
        "a scenario's bucket is rolling(n, time), without op = delete and without a TTL of at most one turn; in a "
        "schema, when the only bucket is a "
        "small whole number and there is no TTL.",
    .find = find};

}  // namespace windrow
