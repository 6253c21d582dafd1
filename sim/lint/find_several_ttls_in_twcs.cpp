#include <fmt/format.h>

#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"

namespace windrow {

namespace {

void find_several_ttls_in_twcs(const LintTable& table, const LintSubject& subject, Report& report) {
  const std::vector<Seconds> all = lifetimes(table);
  if (!window_s(table) || all.size() < 2) return;
  Place place = subject.places.table(*table.schema);
  for (const Named<StreamSection>* stream : table.streams) {
    if (stream->section.ttl.given()) place = stream->section.ttl.place();
  }
  const std::string kept = all.back() == 0 ? "for ever, and blocks every later window that waits behind it"
                                           : fmt::format("for {}", span_text(all.back()));
  report.add(
      place,
      fmt::format("{} different TTLs in one table: a window with one row of the longest stays {}; the shortest is {}",
                  all.size(), kept, span_text(all.front())));
}

}  // namespace

const LintRule several_ttls_in_twcs{.id = "several-ttls-in-twcs",
                                    .severity = Severity::warning,
                                    .what = "several TTLs in one table with time windows",
                                    .why =
                                        "An SSTable is dropped when its last row has expired. One row with a longer "
                                        "TTL, or none, keeps its window on disk and holds back newer "
                                        "windows, which may hold what shadows it.",
                                    .fix =
                                        "A table for each lifetime; or TimeWindowCompactionStrategy with "
                                        "single-SSTable tombstone compactions for the longest.",
                                    .seen = "streams of one TWCS table write with different TTLs, `none` included.",
                                    .find = find_several_ttls_in_twcs};

}  // namespace windrow
