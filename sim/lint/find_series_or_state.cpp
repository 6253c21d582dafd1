#include <fmt/format.h>

#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"
#include "sim/size/key_roles.h"

namespace windrow {

namespace {

void find_series_or_state(const LintTable& table, const LintSubject& subject, Report& report) {
  if (table.written() || expires_always(table) || table.schema->is_counter() || is_table_per_period(table)) return;
  if (time_bucket(table, subject) || is_a_row_a_day(*table.schema) || !is_behind_ids(*table.schema)) return;
  const std::string& name = time_column(*table.schema)->name;
  report.add(
      subject.places.column(*table.schema, name),
      fmt::format("does one {} get ever more rows, each with its {}? Nothing would bound a partition in time",
                  table.schema->clustering()[static_cast<std::size_t>(time_column(*table.schema)->position) - 1].name,
                  name));
}

}  // namespace

const LintRule series_or_state{
    .id = "series-or-state",
    .severity = Severity::note,
    .what = "a time behind several ids, and nothing says whether rows pile up",
    .why =
        "If rows are events, a partition grows for as long as they come (no-time-bucket); if each is the state of "
        "something that ends or is replaced, as a task, a partition has as many as there are at a time.",
    .fix =
        "Of events: a bucket in the partition key. windrow new drafts a scenario, and windrow lint of it says what "
        "follows.",
    .seen =
        "in a schema alone without a TTL: two ids or more stand before the time among the clustering columns, and no "
        "column of the partition key is a time bucket.",
    .find = find_series_or_state};

}  // namespace windrow
