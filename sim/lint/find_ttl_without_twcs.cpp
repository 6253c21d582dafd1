#include <fmt/format.h>

#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"

namespace windrow {

namespace {

void find_ttl_without_twcs(const LintTable& table, const LintSubject& subject, Report& report) {
  if (!is_time_series(table) || !is_append_only(table) || window_s(table) || longest_ttl(table) == 0) return;
  const bool said = table.options().default_time_to_live > 0;
  report.add(
      said ? subject.option(table, "default_time_to_live") : subject.option(table, "compaction", "class"),
      fmt::format("rows expire after {}, and {} mixes old and new ones in one SSTable: an expired row stays until its "
                  "SSTable happens to be merged",
                  span_text(longest_ttl(table)), strategy_name(table.options().compaction_options)),
      fmt::format("compaction = {{'class': 'TimeWindowCompactionStrategy', {}}}", good_window(table, subject)));
}

}  // namespace

const LintRule ttl_without_twcs{
    .id = "ttl-without-twcs",
    .severity = Severity::warning,
    .what = "rows with a TTL under a strategy that does not separate them by time",
    .why =
        "Expired rows go only when compaction reads them again. By time windows an SSTable holds rows of one age and "
        "is deleted whole, without "
        "being read.",
    .fix = "TimeWindowCompactionStrategy with 20 to 30 windows within the TTL.",
    .seen = "rows are ordered by time, only added, some have a TTL, and the strategy is not TWCS.",
    .find = find_ttl_without_twcs};

}  // namespace windrow
