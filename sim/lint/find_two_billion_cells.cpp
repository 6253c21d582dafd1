#include <fmt/format.h>

#include <algorithm>

#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"
#include "sim/size/closed_bucket.h"

namespace windrow {

namespace {

constexpr double most_cells = 2'147'483'647;  // 2^31 - 1

void find_two_billion_cells(const LintTable& table, const LintSubject& subject, Report& report) {
  if (!table.written()) return;
  const Scenario plain = measurable(subject.scenario->scenario, table.index);
  if (plain.writers.empty()) return;
  const ClosedBucket closed = closed_bucket(plain, table.index, BucketOf::most_rows);
  const auto columns = static_cast<std::int64_t>(table.schema->regular_columns().size());
  const auto cells = static_cast<double>(
      std::max(closed.partition_cells.max, closed.partition_rows.max * std::min<std::int64_t>(1, columns)));
  if (cells <= most_cells) return;
  const Place place = table.streams.empty() ? subject.places.table(*table.schema) : table.streams.front()->place;
  report.add(place, fmt::format("the largest partition comes to {} cells, of 2,147,483,647", count_text(cells)));
}

}  // namespace

const LintRule two_billion_cells{
    .id = "two-billion-cells",
    .severity = Severity::error,
    .what = "a partition of more than 2^31 cells",
    .why =
        "Cassandra counts the cells of a partition in 31 bits; long before, such a partition can be neither repaired "
        "nor compacted in a sensible time.",
    .fix = "A shorter bucket, or shards; windrow size shows both.",
    .seen = "a closed bucket, or the whole run without one, gives an entity more than 2,147,483,647 cells.",
    .find = find_two_billion_cells};

}  // namespace windrow
