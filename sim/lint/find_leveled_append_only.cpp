#include <fmt/format.h>

#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"

namespace windrow {

namespace {

void find_leveled_append_only(const LintTable& table, const LintSubject& subject, Report& report) {
  const auto* leveled = std::get_if<LeveledOptions>(&table.options().compaction_options);
  if (leveled == nullptr || !is_time_series(table) || !is_append_only(table)) return;
  report.add(subject.option(table, "compaction", "class"),
             fmt::format("every level rewrites a row up to {} times, and rows that are only added gain nothing by it",
                         leveled->fanout_size));
}

}  // namespace

const LintRule leveled_append_only{
    .id = "leveled-append-only",
    .severity = Severity::warning,
    .what = "LeveledCompactionStrategy on append-only data",
    .why =
        "Levels keep a partition in few SSTables at the price of about ten writes a level. Time-bucketed partitions "
        "are written once and lie in "
        "one window anyway.",
    .fix = "TimeWindowCompactionStrategy; or UnifiedCompactionStrategy if rows stay for ever.",
    .seen = "rows are ordered by time, only added, and the strategy is LCS.",
    .find = find_leveled_append_only};

}  // namespace windrow
