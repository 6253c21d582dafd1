#include <fmt/format.h>

#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"
#include "sim/size/key_roles.h"

namespace windrow {

namespace {

bool is_small_number(const CqlType& type) {
  using Kind = CqlType::Kind;
  return type.kind == Kind::int_ || type.kind == Kind::smallint || type.kind == Kind::tinyint;
}

void find_bucket_may_repeat(const LintTable& table, const LintSubject& subject, Report& report) {
  if (table.written()) return;                // the scenario says how it counts
  if (guessed_bucket(*table.schema)) return;  // find_bucket_or_entity
  const Column* bucket = bucket_column(*table.schema);
  const bool may_repeat =
      bucket != nullptr && is_small_number(bucket->type) && bucket_length_named(*table.schema, *bucket) == 0;
  if (!may_repeat || !is_time_series(table) || expires_always(table)) return;
  report.add(subject.places.column(*table.schema, bucket->name),
             fmt::format("does {} count on, or does it repeat? If it repeats (0 to 23), every turn adds rows to the "
                         "partitions of the turn before: nothing deletes them and there is no TTL",
                         bucket->name));
}

}  // namespace

const LintRule bucket_may_repeat{
    .id = "bucket-may-repeat",
    .severity = Severity::note,
    .what = "a whole number is the only bucket, and its name does not say whether it repeats",
    .why =
        "A number that counts on (days since an epoch, 20260131) makes a new partition each time; one that comes round "
        "again (an hour of the day, a hash) makes none, and its partitions grow without end.",
    .fix =
        "If it counts on: nothing to do; a scenario that says so (column.NAME = day) is not asked. If it "
        "repeats: the date into the partition key, or a TTL of at most one turn.",
    .seen =
        "a schema alone, without a TTL, whose only bucket is an int, smallint or tinyint that is not named by a "
        "length of time.",
    .find = find_bucket_may_repeat};

}  // namespace windrow
