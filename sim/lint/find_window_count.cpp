#include <fmt/format.h>

#include "sim/base/arithmetic.h"
#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"
#include "sim/size/time_window.h"

namespace windrow {

namespace {

void find_window_count(const LintTable& table, const LintSubject& subject, Report& report) {
  const std::optional<Seconds> windows_s = window_s(table);
  const Seconds ttl_s = longest_ttl(table);
  if (!windows_s || ttl_s == 0 || !counts_microseconds(table)) return;
  const Seconds within_s = windowed_s(table);
  const std::int64_t count = ceil_div(within_s, *windows_s);
  const auto bucket = time_bucket(table, subject);
  const Seconds bucket_s = bucket ? bucket->length_s : 0;
  if (count >= fewest_windows && count <= most_windows) return;
  if (is_good_window(*windows_s, within_s, bucket_s)) return;
  const std::int64_t sstables = ceil_div(ttl_s + table.options().gc_grace_seconds, *windows_s) + 1;
  // A long gc_grace keeps so many that one more or less is little: it is the finding then.
  if (count < fewest_windows && sstables > fewest_windows && table.options().gc_grace_seconds > within_s) return;
  const std::string meaning =
      count > most_windows
          ? fmt::format("about {} until gc_grace is over", count_of(static_cast<double>(sstables), "SSTable"))
          : fmt::format(
                "rows stay up to {} longer than their TTL and gc_grace, and the newest window is a large part "
                "of all data",
                span_text(*windows_s));
  report.add(subject.option(table, "compaction", "compaction_window_size"),
             fmt::format("{} of {} within {} of {}: {}", count_of(static_cast<double>(count), "window"),
                         span_text(*windows_s), within_s > ttl_s ? "gc_grace" : "a TTL", span_text(within_s), meaning),
             good_window(table, subject));
}

}  // namespace

const LintRule window_count{
    .id = "window-count",
    .severity = Severity::warning,
    .what = "not 20 to 30 time windows within the TTL",
    .why =
        "Each closed window is an SSTable: too many make every read, repair and start-up touch many files. Too few "
        "keep expired rows long, since a "
        "window goes as a whole, and merge large windows again and again while they are the newest.",
    .fix = "compaction_window_size = TTL / 20 to TTL / 30, a multiple of the bucket; at least the bucket.",
    .seen =
        "the strategy is TWCS, the longest TTL (of a shorter TTL: gc_grace of up to 3 hours) is fewer than 20 or more "
        "than "
        "30 windows, a whole number of buckets would be nearer, and not so few that a longer gc_grace makes up for it.",
    .find = find_window_count};

}  // namespace windrow
