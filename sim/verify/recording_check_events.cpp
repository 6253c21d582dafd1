#include "sim/verify/recording_check_events.h"

#include <fmt/format.h>

#include "sim/base/overloaded.h"
#include "sim/verify/recording_check_state.h"

namespace windrow {

std::string RecordedEvents::next_text() const {
  if (done()) return "nothing more";
  return std::visit(
      Overloaded{[](const TraceAlter& alter) { return fmt::format("an ALTER TABLE at {}", iso_time(alter.t_s)); },
                 [](const TraceFlush& flush) {
                   return fmt::format("a flush of {} SSTables at {}", flush.added.size(), iso_time(flush.t_s));
                 },
                 [](const TracePick& pick) {
                   return fmt::format("pick {} of {} at {}", pick.pick, id_list(pick.inputs), iso_time(pick.t_s));
                 },
                 [](const TraceCommit& commit) {
                   return fmt::format("the commit of pick {} at {}, {} SSTables added", commit.pick,
                                      iso_time(commit.t_s), commit.added.size());
                 },
                 [](const TraceLevelChange& change) {
                   return fmt::format("SSTable {} changing to level {} in place at {}", change.id, change.level,
                                      iso_time(change.t_s));
                 },
                 [](const TraceNullTicks& nothing) { return fmt::format("{} loops that find nothing", nothing.count); },
                 [](const TraceSample& sample) { return fmt::format("a sample at {}", iso_time(sample.t_s)); },
                 [](const TraceEnd& end) { return fmt::format("the end at {}", iso_time(end.t_s)); }},
      trace_->events[at_]);
}

}  // namespace windrow
