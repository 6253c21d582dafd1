#include <fmt/format.h>

#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"

namespace windrow {

namespace {

void find_table_per_period(const LintTable& table, const LintSubject& subject, Report& report) {
  if (!is_table_per_period(table) || !is_time_series(table)) return;
  report.add(subject.places.table(*table.schema),
             fmt::format("{} is one of a row of tables, one a period: each takes memory on every node, and is made and "
                         "dropped while the cluster runs",
                         table.schema->name));
}

}  // namespace

const LintRule table_per_period{
    .id = "table-per-period",
    .severity = Severity::note,
    .what = "a table for every month or year",
    .why =
        "A DROP TABLE frees a month at once, but every table has a memtable and metrics of its own (a megabyte of heap "
        "and more), the next one has to be there in time, and auto_snapshot keeps what was dropped.",
    .fix =
        "One table with a TTL and time windows, where rows only expire; else few tables at a time, and snapshots "
        "cleared.",
    .seen = "a scenario says per = month, or a schema's table with rows in order of time has a year in its name.",
    .find = find_table_per_period};

}  // namespace windrow
