#include "sim/record/limit_watch.h"

#include <doctest/doctest.h>

#include "sim/record/recorder.h"
#include "tests/record/made_scenario.h"

namespace windrow {
namespace {

TEST_CASE("a breach ends where the value is within the bound again, and begins anew where it is not") {
  Scenario scenario = test::made_scenario(1);
  scenario.limits = {{.name = "sstables_max", .value = 4}};
  LimitWatch watch(scenario);
  const Limit& limit = limit_row("sstables_max");
  for (const auto& [value, at_us] : {std::pair{3.0, Micros{1}}, {6.0, 2}, {5.0, 3}, {4.0, 4}, {2.0, 5}})
    watch.see(limit, 0, value, at_us);
  LimitOutcome outcome = watch.outcomes().front();
  CHECK(outcome.first_breach_us == 2);
  CHECK(outcome.held_again_us == 4);
  CHECK(outcome.value == 6);
  CHECK(outcome.end_value == 2);
  watch.see(limit, 0, 7, 6);
  outcome = watch.outcomes().front();
  CHECK(outcome.first_breach_us == 2);
  CHECK_FALSE(outcome.held_again_us);
  CHECK(outcome.end_value == 7);
}

TEST_CASE("a run's breach has the end and the value of the end") {
  Scenario scenario = test::made_scenario(12);
  scenario.limits = {{.name = "sstables_max", .value = 1'000}, {.name = "sstables_max", .value = 3}};
  Recorder recorder(scenario, {.version = "0.1", .scenario_hash = "00", .node = 1}, {});
  run_node(scenario, recorder, {});
  const RunRecord record = recorder.take();
  for (const LimitOutcome& limit : record.limits) {
    REQUIRE(limit.end_value);
    CHECK(*limit.end_value == static_cast<double>(record.tables.front().samples.back().sstables));
    CHECK(limit.value == record.tables.front().sstables.value);
  }
  CHECK_FALSE(record.limits[1].holds());
}

TEST_CASE("tombstones at the end are one number, by day or in all") {
  const Scenario scenario = test::made_scenario(10);
  Recorder recorder(scenario, {.version = "0.1", .scenario_hash = "00", .node = 1}, {});
  run_node(scenario, recorder, {});
  const TableRecord table = recorder.take().tables.front();
  std::int64_t listed = 0;
  for (const TombstoneRow& row : table.tombstones) listed += row.why == tombstones_in_memory ? 0 : row.count;
  CHECK(listed == table.samples.back().tombstones);
  CHECK(listed > 0);
}

}  // namespace
}  // namespace windrow
