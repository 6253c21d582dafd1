#include <doctest/doctest.h>

#include <functional>
#include <string>

#include "tests/cluster/random_cluster.h"
#include "tests/cluster/session_judge.h"

namespace windrow {
namespace {

using windrow_test::SessionJudge;
using windrow_test::SessionRules;

bool complains(const Scenario& scenario, const SessionRules& rules) {
  SessionJudge judge(scenario, rules);
  judge.play();
  return !judge.complaints().empty();
}

/// A rule of the judge that is wrong on purpose does not go with what the nodes do. Clusters are asked until one
/// notices; with all rules right none complains (sessions_test.cpp).
void noticed(const std::string& what, const std::function<void(SessionRules&)>& turn) {
  SessionRules rules;
  turn(rules);
  bool any = false;
  for (std::uint64_t seed = 1; seed <= 40 && !any; ++seed) {
    any = complains(windrow_test::random_sessions(seed), rules) ||
          (seed % 4 == 1 && complains(windrow_test::random_ring_sessions(seed), rules));
  }
  CHECK_MESSAGE(any, what, " is noticed by no cluster");
}

TEST_CASE("turned sessions: steps that begin in a wrong way are noticed") {
  noticed("a node that is away refuses nothing", [](SessionRules& r) { r.away_refuses = false; });
  noticed("two sessions of one file", [](SessionRules& r) { r.other_session_refuses = false; });
  noticed("memtables that are not flushed", [](SessionRules& r) { r.flushes_first = false; });
  noticed("rows outside the ranges become pending", [](SessionRules& r) { r.takes_ranges_alone = false; });
  noticed("repaired files become pending", [](SessionRules& r) { r.takes_unrepaired_alone = false; });
}

TEST_CASE("turned sessions: what happens until they end is noticed") {
  noticed("pending files that go back at once", [](SessionRules& r) { r.pending_files_wait = false; });
  noticed("sessions that outlive a node", [](SessionRules& r) { r.loss_of_a_node_fails = false; });
  noticed("failed sessions whose files are repaired", [](SessionRules& r) { r.failed_files_go_back = false; });
}

TEST_CASE("turned sessions: steps that end in a wrong way are noticed") {
  noticed("hashes of other files", [](SessionRules& r) { r.hashes_session_alone = false; });
  noticed("streams in one direction", [](SessionRules& r) { r.streams_both_ways = false; });
  noticed("streams of other files than the session's", [](SessionRules& r) { r.streams_session_alone = false; });
  noticed("streamed files outside the session", [](SessionRules& r) { r.streamed_files_are_of_session = false; });
  noticed("streamed files that lose their state", [](SessionRules& r) { r.streamed_files_keep_state = false; });
  noticed("files that stay pending", [](SessionRules& r) { r.files_become_repaired = false; });
  noticed("files repaired when the session ends", [](SessionRules& r) { r.repaired_when_begun = false; });
}

TEST_CASE("turned sessions: streams of whole leaves that are counted in a wrong way are noticed") {
  noticed("one leaf for all", [](SessionRules& r) { r.leaves_by_range = false; });
  noticed("the deeper tree decides", [](SessionRules& r) { r.shallower_tree_decides = false; });
  noticed("partitions that differ alone", [](SessionRules& r) { r.leaves_are_sent_whole = false; });
}

}  // namespace
}  // namespace windrow
