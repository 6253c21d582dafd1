#include <fmt/format.h>

#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"

namespace windrow {

namespace {

void find_backfill_into_twcs(const LintTable& table, const LintSubject&, Report& report) {
  if (!window_s(table)) return;
  for (const Named<StreamSection>* stream : table.streams) {
    if (!stream->section.backfill.present()) continue;
    const bool old_timestamps = stream->section.timestamp->from_event;
    report.add(
        stream->section.backfill.place(),
        old_timestamps
            ? "old rows go back into closed windows: each flush adds files to all of them and merges them again, and "
              "files that "
              "span old and new block expiry"
            : "old rows get today's timestamps: they share today's window with new ones, and their TTL begins today");
  }
}

}  // namespace

const LintRule backfill_into_twcs{.id = "backfill-into-twcs",
                                  .severity = Severity::warning,
                                  .what = "old rows are loaded into a table with time windows",
                                  .why =
                                      "A flush that holds old and new rows has one window, the newest's, and the "
                                      "oldest timestamp: it blocks the expiry of all in between.",
                                  .fix =
                                      "Load old rows by themselves, in order of time, USING TIMESTAMP of the event and "
                                      "the TTL that is left, and flush before new rows follow; or "
                                      "into SSTables offline.",
                                  .seen = "a stream with `backfill` writes a TWCS table.",
                                  .find = find_backfill_into_twcs};

}  // namespace windrow
