#include <fmt/format.h>

#include "sim/base/arithmetic.h"
#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"
#include "sim/size/time_window.h"

namespace windrow {

namespace {

void find_window_not_multiple_of_bucket(const LintTable& table, const LintSubject& subject, Report& report) {
  const std::optional<Seconds> windows_s = window_s(table);
  const auto bucket = time_bucket(table, subject);
  if (!counts_microseconds(table)) return;
  if (!windows_s || !bucket || bucket->length_s == 0 || windows_of_bucket(bucket->length_s, *windows_s) == 1) return;
  const Seconds length_s = *windows_s;
  const std::string meaning = bucket->length_s > length_s
                                  ? fmt::format("a partition lies in about {} windows, an SSTable each",
                                                count_text(static_cast<double>(ceil_div(bucket->length_s, length_s))))
                                  : "partitions at a window's edge lie in two of them";
  report.add(subject.option(table, "compaction", "compaction_window_size"),
             fmt::format("a window of {} is no multiple of the bucket {} of {}: {}", span_text(length_s),
                         bucket->column, span_text(bucket->length_s), meaning),
             fmt::format("{}; or a bucket of at most {}", good_window(table, subject), span_text(length_s)));
}

}  // namespace

const LintRule window_not_multiple_of_bucket{.id = "window-not-multiple-of-bucket",
                                             .severity = Severity::warning,
                                             .what = "time windows and buckets do not end together",
                                             .why =
                                                 "A read of one bucket then opens the SSTables of several windows, and "
                                                 "a window's SSTable holds parts of partitions.",
                                             .fix = "A window as long as the bucket or a whole number of buckets.",
                                             .seen =
                                                 "the strategy is TWCS and the bucket's length, as the scenario says "
                                                 "it or its name tells, does not divide the window.",
                                             .find = find_window_not_multiple_of_bucket};

}  // namespace windrow
