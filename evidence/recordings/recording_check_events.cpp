#include "evidence/recordings/recording_check_events.h"

#include <fmt/format.h>

#include "evidence/recordings/recording_check_state.h"
#include "sim/base/overloaded.h"

namespace windrow {

std::string RecordedEvents::next_text() const {
  if (done()) return "nothing more";
  return std::visit(
      Overloaded{[](const TraceAlter& alter) { return fmt::format("an ALTER TABLE at {}", utc_text(alter.t_s)); },
                 [](const TraceRepair& repair) {
                   return fmt::format("files {} becoming {} at {}", id_list(repair.files), repair.to,
                                      utc_text(repair.t_s));
                 },
                 [](const TraceRepairFinished& finished) {
                   return fmt::format("session {} leaving files {} {} at {}", finished.session, id_list(finished.files),
                                      finished.to, utc_text(finished.t_s));
                 },
                 [](const TraceFlush& flush) {
                   return fmt::format("a flush of {} SSTables at {}", flush.added.size(), utc_text(flush.t_s));
                 },
                 [](const TraceMajor& major) {
                   return fmt::format("a major compaction of {} tasks at {}", major.tasks.size(), utc_text(major.t_s));
                 },
                 [](const TracePick& pick) {
                   return fmt::format("pick {} of {} at {}", pick.pick, id_list(pick.inputs), utc_text(pick.t_s));
                 },
                 [](const TraceCommit& commit) {
                   return fmt::format("the commit of pick {} at {}, {} SSTables added", commit.pick,
                                      utc_text(commit.t_s), commit.added.size());
                 },
                 [](const TraceLevelChange& change) {
                   return fmt::format("SSTable {} changing to level {} in place at {}", change.id, change.level,
                                      utc_text(change.t_s));
                 },
                 [](const TraceNullTicks& nothing) { return fmt::format("{} loops that find nothing", nothing.count); },
                 [](const TraceSample& sample) { return fmt::format("a sample at {}", utc_text(sample.t_s)); },
                 [](const TraceEnd& end) { return fmt::format("the end at {}", utc_text(end.t_s)); }},
      trace_->events[at_]);
}

}  // namespace windrow
