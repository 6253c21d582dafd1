#include <fmt/format.h>

#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"

namespace windrow {

namespace {

void find_twcs_without_ttl(const LintTable& table, const LintSubject& subject, Report& report) {
  const std::optional<Seconds> windows_s = window_s(table);
  if (!windows_s || longest_ttl(table) > 0 || is_table_per_period(table)) return;
  std::string message =
      "time windows without a TTL: no SSTable ever expires as a whole, and each window leaves one behind for ever";
  if (table.written()) {
    const Scenario& scenario = subject.scenario->scenario;
    message += fmt::format(
        "; {} after {}", count_text(static_cast<double>((scenario.end_us - scenario.start_us) / us_per_s / *windows_s)),
        span_text((scenario.end_us - scenario.start_us) / us_per_s));
  }
  report.add(subject.option(table, "compaction", "class"), message);
}

}  // namespace

const LintRule twcs_without_ttl{
    .id = "twcs-without-ttl",
    .severity = Severity::warning,
    .what = "TimeWindowCompactionStrategy, and rows that never expire",
    .why =
        "TWCS pays off when whole windows are dropped. Without expiry the number of SSTables grows with time, old "
        "windows are never merged "
        "again, and deletes in them never purge.",
    .fix = "A default_time_to_live; or longer windows for data that stays; or UnifiedCompactionStrategy.",
    .seen = "the strategy is TWCS, nothing that is written has a TTL, and the table is not one of a month.",
    .find = find_twcs_without_ttl};

}  // namespace windrow
