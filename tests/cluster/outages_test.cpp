#include <doctest/doctest.h>

#include "sim/cluster/cluster.h"
#include "sim/cluster/hints.h"
#include "tests/cluster/random_cluster.h"

namespace windrow {
namespace {

using windrow_test::hour_us;

TEST_CASE("outages of one node that overlap or touch are one, and it is down if one of them says so") {
  using Kind = OutageSpec::Kind;
  Scenario scenario;
  scenario.data_centers = {DataCenter{.nodes = 3, .replication_factor = 3}};
  CHECK_FALSE(has_faults(scenario));
  CHECK(recorded_node(scenario) == 0);
  scenario.outages = {{.name = "a", .node = 1, .from_us = hour_us, .length_us = 2 * hour_us, .kind = Kind::cut_off},
                      {.name = "b", .node = 2, .from_us = 2 * hour_us, .length_us = hour_us, .kind = Kind::cut_off},
                      {.name = "c", .node = 1, .from_us = 3 * hour_us, .length_us = hour_us, .kind = Kind::down},
                      {.name = "d", .node = 1, .from_us = 5 * hour_us, .length_us = hour_us, .kind = Kind::cut_off}};
  const std::vector<OutageTime> times = outage_times(scenario);
  REQUIRE(times.size() == 3);
  CHECK((times[0].node == 0 && times[0].to_us == 4 * hour_us && times[0].joined && times[0].kind == Kind::down));
  CHECK((times[1].node == 1 && !times[1].joined && times[1].kind == Kind::cut_off));
  CHECK(times[2].from_us == 5 * hour_us);
  CHECK(has_faults(scenario));
  CHECK(recorded_node(scenario) == 2);
}

TEST_CASE("a node is replaced when another one with its rows is up, and not before") {
  Scenario scenario = windrow_test::random_cluster(1);
  scenario.data_centers = {DataCenter{.nodes = 2, .replication_factor = 2}};
  scenario.repairs.clear();
  const auto at = [&](Micros hours) { return scenario.start_us + hours * hour_us; };
  using Ends = OutageSpec::Ends;
  scenario.outages = {{.name = "a", .node = 1, .from_us = at(10), .length_us = 10 * hour_us, .ends = Ends::replaced},
                      {.name = "b", .node = 2, .from_us = at(15), .length_us = 15 * hour_us}};
  const std::vector<RunObserver*> nobody(64, nullptr);
  const FaultRecord waits = play_cluster(scenario, nobody, {});
  REQUIRE(waits.replacements.size() == 1);
  CHECK(waits.replacements[0].at_us == at(30));
  CHECK(waits.replacements[0].sources == std::vector<int>{1});
  CHECK(waits.outages[0].to_us == at(30));
  // Of two that wait for each other none is ever back.
  scenario.outages[1].ends = Ends::replaced;
  const FaultRecord lost = play_cluster(scenario, nobody, {});
  CHECK(lost.replacements.empty());
  CHECK((lost.outages[0].to_us == scenario.end_us && lost.outages[1].to_us == scenario.end_us));
}

TEST_CASE("hints are kept while neither the node is away nor the oldest hint waits for longer than the window") {
  NodeSettings node;
  node.max_hint_window_us = 3 * hour_us;
  HintsFor hints;
  hints.keep(node, 10 * hour_us, 12 * hour_us, std::nullopt);
  CHECK_FALSE(hints.any());
  hints.keep(node, 10 * hour_us, 12 * hour_us, 11 * hour_us);
  // It goes away again before they are sent: the oldest is of the eleventh hour.
  hints.keep(node, 13 * hour_us, 18 * hour_us, 13 * hour_us);
  const auto spans = hints.take();
  REQUIRE(spans.size() == 2);
  CHECK((spans[0].from_us == 10 * hour_us && spans[0].to_us == 12 * hour_us));
  CHECK((spans[1].from_us == 13 * hour_us && spans[1].to_us == 14 * hour_us + 1));
  hints.keep(node, 20 * hour_us, 30 * hour_us, 20 * hour_us);
  REQUIRE(hints.spans().size() == 1);
  CHECK(hints.spans()[0].to_us == 23 * hour_us + 1);
  node.hinted_handoff = false;
  HintsFor none;
  none.keep(node, 0, hour_us, 0);
  CHECK_FALSE(none.any());
}

/// Three nodes, one entity with a row every ten minutes for two days, each deleted when it is four hours old.
Scenario a_row_every_ten_minutes() {
  Scenario scenario = windrow_test::random_cluster(1);
  scenario.data_centers = {DataCenter{.nodes = 3, .replication_factor = 3}};
  scenario.end_us = scenario.start_us + 48 * hour_us;
  scenario.node.hinted_handoff = true;
  scenario.node.max_hint_window_us = 3 * hour_us;
  scenario.tables[0].schema.options.gc_grace_seconds = 864'000;
  for (WriterSpec& writer : scenario.writers) {
    writer.entities = 1;
    writer.until_us = scenario.end_us;
    writer.bucket = BucketRule::none();
    writer.rate = {{.from_us = scenario.start_us, .rows = 1, .period_us = hour_us / 6}};
    writer.ttl = {TtlShare{}};
    if (writer.op == WriteOp::remove) writer.remove.age_us = 4 * hour_us;
  }
  scenario.repairs.clear();
  scenario.outages = {
      {.name = "six hours", .node = 3, .from_us = scenario.start_us + 24 * hour_us, .length_us = 6 * hour_us}};
  return scenario;
}

TEST_CASE("a row that a hint brings, and whose delete came after the window of the same outage, is in the ledger") {
  const Scenario scenario = a_row_every_ten_minutes();
  const std::vector<RunObserver*> nobody(64, nullptr);
  const FaultRecord record = play_cluster(scenario, nobody, {});
  // Hints are kept from 24:00 to 27:00, of deletes of rows from 20:00 to 23:00 too. What was deleted from 27:10 to
  // 29:50 is not hinted: five rows that node 3 had, and twelve of 24:00 to 25:50 that it gets as hints.
  Rows before = 0;
  Rows within = 0;
  for (const SuspectRows& line : record.suspects) {
    if (line.state != SuspectState::stale) continue;
    CHECK(line.missed_by == std::vector<int>{2});
    CHECK(line.why == "six hours");
    const bool in_outage = line.written_from_us >= scenario.outages[0].from_us;
    (in_outage ? within : before) += line.rows;
    if (!in_outage) CHECK(line.deleted_from_us == scenario.outages[0].from_us + 3 * hour_us + hour_us / 6);
    CHECK(line.deleted_to_us < scenario.outages[0].from_us + 6 * hour_us);
  }
  CHECK(before + within == 17);
  CHECK(record.rows(SuspectState::healed) == 0);
}

TEST_CASE(
    "what reads repair, by hand: at ALL each row that is read, at QUORUM of two live nodes as much, at ONE none") {
  Scenario scenario = a_row_every_ten_minutes();
  scenario.node.hinted_handoff = false;
  scenario.sample_us = hour_us;
  // Rows and deletes of six hours, 36 each, are missing on node 3. Of the rows those of 24:00 to 25:50 are deleted
  // before it is back: their tombstones come, and no rows under them, which the others answer no more. From 30:00 on
  // the last ten hours are read, a thousand times an hour: at 30:00 the rows of 20:00 to 29:50, of which those from
  // 26:00 on live.
  scenario.reads = {{.name = "ten hours",
                     .stream = "w",
                     .range_us = 10 * hour_us,
                     .consistency = Consistency::all,
                     .rate_per_s = 1000.0 / 3600}};
  const std::vector<RunObserver*> nobody(64, nullptr);
  const FaultRecord all = play_cluster(scenario, nobody, {});
  REQUIRE(all.read_repairs.size() == 1);
  CHECK(all.read_repairs[0].node == 2);
  CHECK(all.read_repairs[0].rows == 36 + 24);
  CHECK(all.read_repairs[0].first_us == scenario.start_us + 30 * hour_us);
  CHECK(all.rows(SuspectState::healed) == 24);
  CHECK(all.suspected() == 24);
  scenario.reads[0].consistency = Consistency::quorum;
  CHECK(play_cluster(scenario, nobody, {}).read_repairs == all.read_repairs);
  scenario.reads[0].consistency = Consistency::one;
  CHECK(play_cluster(scenario, nobody, {}).read_repairs.empty());
  // The table says no.
  scenario.reads[0].consistency = Consistency::all;
  scenario.tables[0].schema.options.read_repair = "NONE";
  CHECK(play_cluster(scenario, nobody, {}).read_repairs.empty());
  CHECK(play_cluster(scenario, nobody, {}).rows(SuspectState::stale) == 24);
}

}  // namespace
}  // namespace windrow
