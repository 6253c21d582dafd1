#include <fmt/format.h>

#include <string>
#include <string_view>

#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"
#include "sim/size/time_window.h"

namespace windrow {

namespace {

/// How much more the disk holds: 1.5, 11, 4,801.
std::string times_text(double times) {
  const std::string text = times < 10 ? fmt::format("{:.1f}", times) : count_text(times);
  return text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
}

/// What is written again takes the place of what waits. A schema alone says it of no row; rows without a clustering
/// column are heartbeats, locks, sessions as often as not.
bool may_be_written_again(const LintTable& table) {
  return !is_append_only(table) || (!table.written() && table.schema->clustering().empty());
}

void find_ttl_below_gc_grace(const LintTable& table, const LintSubject& subject, Report& report) {
  const Seconds ttl_s = longest_ttl(table);
  const Seconds gc_grace_s = table.options().gc_grace_seconds;
  if (ttl_s == 0 || ttl_s >= gc_grace_s || gc_grace_s <= hint_window_s) return;
  const std::string_view fix = ttl_s > hint_window_s
                                   ? "gc_grace_seconds of at least 10800 (the hint window) and at most the TTL"
                                   : "gc_grace_seconds = 10800 (the hint window)";
  report.add(subject.option(table, "default_time_to_live"),
             fmt::format("a TTL of {} is shorter than gc_grace ({}): disk holds {}{} times what can be read",
                         span_text(ttl_s), span_text(gc_grace_s), may_be_written_again(table) ? "up to " : "",
                         times_text(static_cast<double>(ttl_s + gc_grace_s) / static_cast<double>(ttl_s))),
             fmt::format("{}, if rows are inserted once and never deleted", fix));
}

}  // namespace

const LintRule ttl_below_gc_grace{
    .id = "ttl-below-gc-grace",
    .severity = Severity::warning,
    .what = "rows wait for gc_grace longer than they live",
    .why =
        "An expired row is kept for gc_grace_seconds, 10 days by default, so that "
        "replicas that missed the write do not differ. Rows that are "
        "inserted once and only expire need no such time.",
    .fix =
        "Lower gc_grace_seconds, not below the hint window of 3 hours, nor below the "
        "repair interval if anything is ever deleted or overwritten.",
    .seen = "the longest TTL is above 0 and below gc_grace_seconds, which is above 10800.",
    .find = find_ttl_below_gc_grace};

}  // namespace windrow
