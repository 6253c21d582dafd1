#include <fmt/format.h>

#include <algorithm>

#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"
#include "sim/size/closed_bucket.h"

namespace windrow {

namespace {

constexpr Rows few_rows = 5;

void find_too_fine_buckets(const LintTable& table, const LintSubject& subject, Report& report) {
  const auto bucket = table.written() ? time_bucket(table, subject) : std::nullopt;
  if (!bucket) return;
  const Scenario plain = measurable(subject.scenario->scenario, table.index);
  if (plain.writers.empty()) return;
  const ClosedBucket closed = closed_bucket(plain, table.index, BucketOf::most_rows);
  if (closed.partitions == 0 || closed.partition_rows.max > few_rows) return;
  report.add(bucket->place, fmt::format("the largest partition of {} has {}: {} a year", bucket->column,
                                        count_of(static_cast<double>(closed.partition_rows.max), "row"),
                                        count_of(closed.partitions_per_year, "partition")));
}

}  // namespace

const LintRule too_fine_buckets{.id = "too-fine-buckets",
                                .severity = Severity::warning,
                                .what = "buckets so short that a partition is a few rows",
                                .why =
                                    "Each partition costs a key, an index entry and bits of the bloom filter, on disk "
                                    "and in memory, and a read of a "
                                    "longer time asks for many of them.",
                                .fix = "A longer bucket: windrow size shows how long it may be.",
                                .seen = "a closed bucket of the scenario's fastest entity has at most 5 rows.",
                                .find = find_too_fine_buckets};

}  // namespace windrow
