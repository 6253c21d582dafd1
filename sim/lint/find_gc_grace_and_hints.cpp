#include <fmt/format.h>

#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"
#include "sim/size/time_window.h"

namespace windrow {

namespace {

void find_gc_grace_and_hints(const LintTable& table, const LintSubject& subject, Report& report) {
  const Seconds gc_grace_s = table.options().gc_grace_seconds;
  if (gc_grace_s >= hint_window_s) return;
  report.add(
      subject.option(table, "gc_grace_seconds"),
      gc_grace_s == 0
          ? "hints of this table are never applied: what a node misses stays missing until repair"
          : fmt::format(
                "hints older than {} are thrown away: what a node misses in a longer outage stays missing until repair",
                span_text(gc_grace_s)),
      "gc_grace_seconds = 10800");
}

}  // namespace

const LintRule gc_grace_and_hints{.id = "gc-grace-and-hints",
                                  .severity = Severity::warning,
                                  .what = "gc_grace is shorter than the hint window",
                                  .why =
                                      "A hint is applied only while it is younger than gc_grace_seconds; coordinators "
                                      "keep hints for 3 hours. With 0 none is ever applied.",
                                  .fix = "At least 10800 seconds, or a shorter max_hint_window.",
                                  .seen = "gc_grace_seconds is below 10800.",
                                  .find = find_gc_grace_and_hints};

}  // namespace windrow
