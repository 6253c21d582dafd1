#include <fmt/format.h>

#include <algorithm>

#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"

namespace windrow {

namespace {

void find_weeks_from_monday(const LintTable& table, const LintSubject& subject, Report& report) {
  constexpr Seconds week_s = 7 * seconds_per_day;
  const std::optional<Seconds> windows_s = window_s(table);
  const auto bucket = time_bucket(table, subject);
  const bool weeks =
      std::ranges::any_of(table.writers, [](const WriterSpec* writer) { return writer->bucket.iso_weeks(); });
  if (!weeks || !bucket || !windows_s || *windows_s % week_s != 0) return;
  report.add(bucket->place,
             fmt::format("the weeks of {} begin on Monday, windows of {} on Thursday: a partition lies in "
                         "two of them",
                         bucket->column, span_text(*windows_s)));
}

}  // namespace

const LintRule weeks_from_monday{
    .id = "weeks-from-monday",
    .severity = Severity::warning,
    .what = "weeks of the calendar are not the weeks of time windows",
    .why =
        "Time windows are counted from the epoch, a Thursday; a calendar's week begins on Monday. Every bucket but the "
        "odd "
        "one then has rows in two windows, and expires with the later of them.",
    .fix = "A bucket of 7d, which is cut where windows are, or windows of a day.",
    .seen = "the scenario says column.NAME = week, and windows are one or several weeks long.",
    .find = find_weeks_from_monday};

}  // namespace windrow
