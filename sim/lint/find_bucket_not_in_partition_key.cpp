#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"
#include "sim/size/key_roles.h"

namespace windrow {

namespace {

void find_bucket_not_in_partition_key(const LintTable& table, const LintSubject& subject, Report& report) {
  if (is_a_row_a_day(*table.schema)) return;
  const auto buckets = std::ranges::count_if(
      table.schema->clustering(), [&](const Column& column) { return names_a_bucket(*table.schema, column); });
  // Year, month, day among the clustering columns are a time of their own.
  const bool parts_of_time = buckets > 1 && !numbers_a_time_of_day(*table.schema);
  if ((!is_time_series(table) && !parts_of_time) || time_bucket(table, subject)) return;
  const Column* time = time_column(*table.schema);
  std::vector<std::string> key;
  for (const Column& column : table.schema->partition_key()) key.push_back(column.name);
  for (const Column& column : table.schema->clustering()) {
    if (!names_a_bucket(*table.schema, column) || &column == time || is_said_to_be_time(table, column)) continue;
    if (time != nullptr && time->position < column.position) continue;
    report.add(subject.places.column(*table.schema, column.name),
               fmt::format("{} is a clustering column: all its values lie in one partition, which grows for ever",
                           column.name),
               fmt::format("PRIMARY KEY (({}, {}), …)", fmt::join(key, ", "), column.name));
    return;
  }
}

}  // namespace

const LintRule bucket_not_in_partition_key{
    .id = "bucket-not-in-partition-key",
    .severity = Severity::error,
    .what = "a time bucket stands among the clustering columns",
    .why =
        "Only the partition key divides partitions. A bucket behind it sorts rows, and every bucket of an entity stays "
        "in one partition.",
    .fix = "Move it into the inner brackets: PRIMARY KEY ((entity, bucket), time).",
    .seen =
        "no column of the partition key is a time bucket, and a clustering column before the time, or "
        "several without one, are named like buckets.",
    .find = find_bucket_not_in_partition_key};

}  // namespace windrow
