#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"

namespace windrow {

namespace {

void find_default_compaction_append_only(const LintTable& table, const LintSubject& subject, Report& report) {
  const bool size_tiered = strategy_name(table.options().compaction_options) == "SizeTieredCompactionStrategy";
  if (!size_tiered || !is_time_series(table) || !is_append_only(table) || longest_ttl(table) > 0) return;
  report.add(subject.option(table, "compaction", "class"),
             "size tiers merge this year's rows with last year's again and again, though nothing in them can replace "
             "or delete anything");
}

}  // namespace

const LintRule default_compaction_append_only{
    .id = "default-compaction-append-only",
    .severity = Severity::warning,
    .what = "append-only time series under SizeTieredCompactionStrategy, the default",
    .why =
        "Each row is rewritten once per tier for nothing, the largest merge needs as much free disk as the largest "
        "SSTables together, and a "
        "partition that lives long lies in SSTables of every tier.",
    .fix =
        "TimeWindowCompactionStrategy, with a TTL if the rows may go; UnifiedCompactionStrategy with T4 if they stay.",
    .seen = "rows are ordered by time, only added, never expire, and the strategy is STCS.",
    .find = find_default_compaction_append_only};

}  // namespace windrow
