#include <fmt/format.h>

#include <string_view>

#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"

namespace windrow {

namespace {

/// How many microseconds the strategy takes one of a write's timestamps for.
double taken_for_us(std::string_view resolution) {
  return resolution == "NANOSECONDS" ? 1e-3 : resolution == "MILLISECONDS" ? 1e3 : 1e6;
}

void find_timestamp_resolution(const LintTable& table, const LintSubject& subject, Report& report) {
  const std::optional<Seconds> windows_s = window_s(table);
  if (!windows_s || counts_microseconds(table)) return;
  const std::string& resolution = std::get<TimeWindowOptions>(table.options().compaction_options).timestamp_resolution;
  const double real_s = static_cast<double>(*windows_s) / taken_for_us(resolution);
  report.add(subject.option(table, "compaction", "timestamp_resolution"),
             fmt::format("a window of {} is one of {} to rows whose timestamps are microseconds", span_text(*windows_s),
                         real_s < 600 ? fmt::format("{:.3g} s", real_s) : span_text(static_cast<Seconds>(real_s))),
             "'timestamp_resolution': 'MICROSECONDS', or the option left out");
}

}  // namespace

const LintRule timestamp_resolution{
    .id = "timestamp-resolution",
    .severity = Severity::warning,
    .what = "time windows that do not count in microseconds",
    .why =
        "Timestamps of writes are microseconds unless a client gives others by USING TIMESTAMP. Taken for "
        "milliseconds, "
        "a day of writes is a thousand days long: each flush has a window of its own, and nothing is merged.",
    .fix = "timestamp_resolution = MICROSECONDS, the default, unless every write is stamped otherwise by its client.",
    .seen = "the strategy is TWCS and timestamp_resolution is not MICROSECONDS.",
    .find = find_timestamp_resolution};

}  // namespace windrow
