#include <fmt/format.h>

#include "sim/base/arithmetic.h"
#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"
#include "sim/size/time_window.h"

namespace windrow {

namespace {

void find(const LintTable& table, const LintSubject& subject, Report& report) {
  const std::optional<Seconds> windows_s = window_s(table);
  const Seconds ttl_s = longest_ttl(table);
  if (!windows_s || ttl_s == 0 || !counts_microseconds(table)) return;
  const std::int64_t count = ceil_div(ttl_s, *windows_s);
  const auto bucket = time_bucket(table, subject);
  const Seconds bucket_s = bucket ? bucket->length_s : 0;
  if (count >= fewest_windows && count <= most_windows) return;
  if (is_good_window(*windows_s, ttl_s, bucket_s)) return;
  const std::int64_t sstables = ceil_div(ttl_s + table.options().gc_grace_seconds, *windows_s) + 1;
  const std::string meaning =
      count > most_windows
          ? fmt::format("about {} SSTables until gc_grace is over", count_text(static_cast<double>(sstables)))
          : fmt::format(
                "rows stay up to {} longer than their TTL and gc_grace, and the newest window is a large part "
                "of all data",
                span_text(*windows_s));
  report.add(subject.option(table, "compaction", "compaction_window_size"),
             fmt::format("{} window{} of {} within a TTL of {}: {}", count_text(static_cast<double>(count)),
                         count == 1 ? "" : "s", span_text(*windows_s), span_text(ttl_s), meaning),
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
        "the strategy is TWCS, the longest TTL is fewer than 20 or more than 30 windows, and a whole number of buckets "
        "would be nearer.",
    .find = find};

}  // namespace windrow
