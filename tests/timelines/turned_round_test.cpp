#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "evidence/timelines/timeline_check.h"
#include "evidence/timelines/timeline_ring.h"
#include "tests/timelines/recorded_cases.h"

namespace windrow {
namespace {

/// A rule that is wrong on purpose is noticed by the recordings. Cases are asked until one notices.
void noticed(const std::string& what, const std::function<void(ReplicaRules&)>& turn) {
  static const TimelineRing ring = harness_ring();
  ReplicaRules rules;
  turn(rules);
  const auto notices = [&](const TimelineCase& one) {
    return !one.chance && !check_timeline(one, ring, rules).agrees();
  };
  const bool any = std::ranges::any_of(test::recorded_cases(), notices);
  CHECK_MESSAGE(any, what, " is noticed by no case");
}

TEST_CASE("reads that are wrong on purpose are noticed") {
  noticed("tombstones that reads do not strip", [](ReplicaRules& r) { r.reads_strip_tombstones = false; });
  noticed("only_purge_repaired_tombstones ignored on reads", [](ReplicaRules& r) { r.reads_spare_unrepaired = false; });
  noticed("read repair at ONE", [](ReplicaRules& r) { r.read_repair_at_one = true; });
  noticed("read repair of the whole partition", [](ReplicaRules& r) { r.read_repair_whole_partition = true; });
}

TEST_CASE("repairs that are wrong on purpose are noticed") {
  noticed("streams without old tombstones", [](ReplicaRules& r) { r.streams_old_tombstones = false; });
  noticed("streams in one direction", [](ReplicaRules& r) { r.streams_both_ways = false; });
  noticed("streamed files that lose their state", [](ReplicaRules& r) { r.streamed_files_keep_state = false; });
  noticed("a leaf a partition", [](ReplicaRules& r) { r.leaves_by_index_samples = false; });
  noticed("trees at the deeper depth", [](ReplicaRules& r) { r.shallower_tree_decides = false; });
  noticed("pending files that compact at once", [](ReplicaRules& r) { r.pending_files_wait = false; });
}

TEST_CASE("hints that are wrong on purpose are noticed") {
  noticed("hints that ignore gc_grace", [](ReplicaRules& r) { r.hints_die_with_gc_grace = false; });
  noticed("hints that ignore the window", [](ReplicaRules& r) { r.hint_window_holds = false; });
  noticed("hints that ignore the age of the file", [](ReplicaRules& r) { r.hint_file_age_counts = false; });
}

TEST_CASE("purges that are wrong on purpose are noticed") {
  noticed("expired cells dated at expiry", [](ReplicaRules& r) { r.purge.expired_cells_date_from_write = false; });
  noticed("liveness purged from the write on", [](ReplicaRules& r) { r.purge.liveness_dates_from_expiry = false; });
  noticed("what died at gc_before itself", [](ReplicaRules& r) { r.purge.at_equality = true; });
}

}  // namespace
}  // namespace windrow
