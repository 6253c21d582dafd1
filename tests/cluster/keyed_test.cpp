#include <doctest/doctest.h>

#include <map>
#include <string>

#include "sim/cluster/cluster.h"
#include "sim/scenario/scenario_workload.h"
#include "tests/cluster/keyed_judge.h"
#include "tests/cluster/random_cluster.h"

namespace windrow {
namespace {

using windrow_test::Histories;
using windrow_test::KeyedJudge;

TEST_CASE("one by one: every line of the ledger, and every file of every node, of 400 random clusters") {
  std::map<SuspectState, std::int64_t> seen;
  Rows streamed = 0;
  Rows copied = 0;  // by repairs, to who had forgotten the delete
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    const Scenario scenario = windrow_test::random_keyed(seed);
    CAPTURE(strategy_name(scenario.tables[0].schema.options.compaction_options));
    const TableWorkload workload = scenario_workload(scenario, 0);
    const ContentSpace space(workload, 9, SSTableFormat::oa);
    KeyedJudge judge(scenario, space);
    const FaultRecord record = play_cluster(scenario, judge.observers(), {});
    const Histories followed = judge.ledger(record);
    for (const std::string& complaint : judge.complaints()) FAIL_CHECK(complaint);
    REQUIRE(windrow_test::text_of(windrow_test::histories_of(record.suspects)) == windrow_test::text_of(followed));
    streamed += judge.streamed();
    for (const SuspectRows& line : record.suspects) {
      seen[line.state] += line.rows;
      if (line.brought_at_us) copied += line.rows;
    }
  }
  MESSAGE(copied, " copied");
  for (const SuspectState state :
       {SuspectState::healed, SuspectState::stale, SuspectState::visible, SuspectState::permanent}) {
    CAPTURE(state_name(state));
    CHECK(seen[state] > 100);
  }
  CHECK(copied > 100);
  CHECK(streamed > 10'000);
}

}  // namespace
}  // namespace windrow
