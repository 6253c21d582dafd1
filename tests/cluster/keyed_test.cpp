#include <doctest/doctest.h>

#include <functional>
#include <map>
#include <string>

#include "sim/cluster/cluster.h"
#include "sim/scenario/scenario_workload.h"
#include "tests/cluster/keyed_judge.h"
#include "tests/cluster/random_cluster.h"
#include "tests/support/seeds.h"

namespace windrow {
namespace {

using windrow_test::Histories;
using windrow_test::KeyedJudge;
using windrow_test::ReadRules;

/// What clusters do that are followed row by row: both say the same.
struct Followed {
  std::map<SuspectState, Rows> seen{};
  Rows streamed = 0;
  Rows read = 0;
  std::map<std::string, Rows> healed_by{};  // first words: hints, repair, read
  Rows copied = 0;                          // by repairs and reads, to who had forgotten the delete
  Rows lost = 0;
};

Followed followed(std::uint64_t clusters, Scenario (*make)(std::uint64_t)) {
  Followed all;
  for (std::uint64_t seed = 1; seed <= clusters; ++seed) {
    CAPTURE(seed);
    const Scenario scenario = make(seed);
    CAPTURE(strategy_name(scenario.tables[0].schema.options.compaction_options));
    const TableWorkload workload = scenario_workload(scenario, 0);
    const ContentSpace space(workload, 9, SSTableFormat::oa);
    KeyedJudge judge(scenario, space);
    const FaultRecord record = play_cluster(scenario, judge.observers(), {});
    const Histories histories = judge.ledger(record);
    for (const std::string& complaint : judge.complaints()) FAIL_CHECK(complaint);
    REQUIRE(windrow_test::text_of(windrow_test::histories_of(record.suspects)) == windrow_test::text_of(histories));
    all.streamed += judge.streamed();
    all.read += judge.read();
    Rows said = 0;
    for (const ReadRepair& wrote : record.read_repairs) said += wrote.rows;
    CHECK(said == judge.read());
    for (const SuspectRows& line : record.suspects) {
      all.seen[line.state] += line.rows;
      if (line.brought_at_us) all.copied += line.rows;
      if (line.why == "lost") all.lost += line.rows;
      if (line.state == SuspectState::healed)
        all.healed_by[line.brought_by.substr(0, line.brought_by.find(' '))] += line.rows;
    }
  }
  for (const SuspectState state :
       {SuspectState::healed, SuspectState::stale, SuspectState::visible, SuspectState::permanent}) {
    CAPTURE(state_name(state));
    CHECK(all.seen[state] > static_cast<Rows>(clusters / 4));
  }
  return all;
}

TEST_CASE("one by one: every line of the ledger, and every file of every node, of 400 random clusters") {
  const std::uint64_t clusters = windrow_test::seeds(400);
  const Followed all = followed(clusters, windrow_test::random_keyed);
  MESSAGE(all.copied, " copied");
  CHECK(all.copied > static_cast<Rows>(clusters / 4));
  CHECK(all.streamed > static_cast<Rows>(clusters * 25));
}

TEST_CASE("one by one: the same of 400 random clusters where mutations are lost") {
  const std::uint64_t clusters = windrow_test::seeds(400);
  const Followed all = followed(clusters, windrow_test::random_keyed_losses);
  MESSAGE(all.lost, " lost");
  CHECK(all.lost > static_cast<Rows>(clusters * 5 / 2));
  CHECK(all.streamed > static_cast<Rows>(clusters * 25));
}

TEST_CASE("one by one: the same of 400 random clusters whose reads repair") {
  const std::uint64_t clusters = windrow_test::seeds(400);
  Followed all = followed(clusters, windrow_test::random_keyed_reads);
  MESSAGE(all.read, " rows and deletes written by reads, ", all.healed_by["read"], " healed, ", all.copied, " copied");
  CHECK(all.read > static_cast<Rows>(clusters * 10));
  CHECK(all.healed_by["read"] > static_cast<Rows>(clusters));
  CHECK(all.copied > static_cast<Rows>(clusters / 10));
}

/// A rule of the judge that is wrong on purpose does not go with what the nodes do.
void noticed(const std::string& what, const std::function<void(ReadRules&)>& turn) {
  ReadRules rules;
  turn(rules);
  bool any = false;
  for (std::uint64_t seed = 1; seed <= 60 && !any; ++seed) {
    const Scenario scenario = windrow_test::random_keyed_reads(seed);
    const TableWorkload workload = scenario_workload(scenario, 0);
    const ContentSpace space(workload, 9, SSTableFormat::oa);
    KeyedJudge judge(scenario, space, rules);
    const FaultRecord record = play_cluster(scenario, judge.observers(), {});
    const Histories histories = judge.ledger(record);
    any = !judge.complaints().empty() || windrow_test::histories_of(record.suspects) != histories;
  }
  CHECK_MESSAGE(any, what, " is noticed by no cluster");
}

TEST_CASE("one by one: reads that are wrong on purpose are noticed") {
  noticed("tombstones that reads do not strip", [](ReadRules& r) { r.replicas.reads_strip_tombstones = false; });
  noticed("read repair of the whole partition", [](ReadRules& r) { r.replicas.read_repair_whole_partition = true; });
  noticed("read repair at ONE", [](ReadRules& r) { r.one_compares_nothing = false; });
  noticed("answers of nodes that are away", [](ReadRules& r) { r.asks_live_alone = false; });
  noticed("coordinators that ask others first", [](ReadRules& r) { r.coordinator_answers_first = false; });
  noticed("read repair of rows that are not read", [](ReadRules& r) { r.read_time_counts = false; });
}

}  // namespace
}  // namespace windrow
