#include <fmt/format.h>

#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"
#include "sim/size/key_roles.h"

namespace windrow {

namespace {

void find_ttl_bounds_partition(const LintTable& table, const LintSubject& subject, Report& report) {
  if (table.written() || !is_time_series(table) || is_table_per_period(table)) return;
  if (!expires_always(table) || time_bucket(table, subject) || may_be_bucket_or_entity(*table.schema)) return;
  const Seconds held_s = longest_ttl(table) + table.options().gc_grace_seconds;
  report.add(subject.places.table(*table.schema),
             fmt::format("only the TTL bounds a partition: it holds {} of one entity's rows, a part of them expired",
                         span_text(held_s)));
}

}  // namespace

const LintRule ttl_bounds_partition{
    .id = "ttl-bounds-partition",
    .severity = Severity::note,
    .what = "no bucket, and the TTL alone bounds a partition",
    .why =
        "Its size is bounded by TTL and gc_grace, but it lies in every time window: a read of it opens an SSTable for "
        "each.",
    .fix = "Good if it stays below 100 MiB (windrow size); else a bucket in the partition key.",
    .seen =
        "in a schema alone: rows are ordered by time, all expire, and no column of the partition key is a time bucket. "
        "A scenario knows the size: large-partitions.",
    .find = find_ttl_bounds_partition};

}  // namespace windrow
