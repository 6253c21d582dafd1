#include <doctest/doctest.h>

#include "sim/cluster/cluster.h"
#include "sim/cluster/hints.h"
#include "tests/cluster/random_cluster.h"

namespace windrow {
namespace {

constexpr Micros hour_us = 3'600 * us_per_s;

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

}  // namespace
}  // namespace windrow
