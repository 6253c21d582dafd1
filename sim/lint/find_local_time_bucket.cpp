#include <fmt/format.h>

#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"

namespace windrow {

namespace {

void find_local_time_bucket(const LintTable& table, const LintSubject& subject, Report& report) {
  if (!time_bucket(table, subject)) return;
  for (const Named<StreamSection>* stream : table.streams) {
    if (stream->section.zone->offset_s == 0 && stream->section.zone->name.empty()) continue;
    report.add(stream->section.zone.place(), fmt::format("buckets begin at midnight of {}: not where time windows do, "
                                                         "and twice a year one is an hour shorter or longer where "
                                                         "clocks change",
                                                         stream->section.zone.text()));
  }
}

}  // namespace

const LintRule local_time_bucket{
    .id = "local-time-bucket",
    .severity = Severity::warning,
    .what = "buckets follow local time",
    .why =
        "Time windows are cut in UTC, so each bucket lies in two of them; writers and readers in different zones, or "
        "on different sides of a "
        "change of clocks, name different buckets for one moment.",
    .fix = "Make buckets from UTC, and turn to local time when showing rows.",
    .seen = "a stream says zone = something other than UTC and its partition key has a time bucket.",
    .find = find_local_time_bucket};

}  // namespace windrow
