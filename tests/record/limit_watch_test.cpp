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

TEST_CASE("a value that rises evenly breaks each bound on its way where that lies, and ends at what came at once") {
  Scenario scenario = test::made_scenario(1);
  scenario.limits = {{.name = "sstables_max", .value = 4},
                     {.name = "sstables_max", .value = 7},
                     {.name = "sstables_max", .value = 9},
                     {.name = "sstables_max", .value = 20}};
  LimitWatch watch(scenario);
  const Limit& limit = limit_row("sstables_max");
  watch.see(limit, 0, 2, 100);
  watch.see_risen(limit, 0, {.from = 2, .from_us = 100, .to = 8}, 12, 700);  // one more each 100
  const std::vector<LimitOutcome> outcomes = watch.outcomes();
  CHECK(outcomes[0].first_breach_us == 300);
  CHECK(outcomes[1].first_breach_us == 600);
  CHECK(outcomes[2].first_breach_us == 700);
  CHECK(outcomes[3].holds());
  CHECK(outcomes[3].value == 12);
}

/// The first compaction of a run: when it starts, and what the disk then holds.
struct FirstCompaction final : RunObserver {
  void started(const Node& node, const Job& job) override {
    if (at_us == 0) {
      at_us = node.now_us();
      used = node.disk_used_bytes();
      reads = job.task.bytes_to_read;
    }
  }
  void committed(const Node& node, const CommitEvent&) override {
    if (ended_us == 0) ended_us = node.now_us();
  }
  Micros at_us = 0;
  Micros ended_us = 0;
  Bytes used = 0;
  Bytes reads = 0;
};

TEST_CASE("a disk that a compaction fills is full when that has written enough, not when it ends") {
  Scenario scenario = test::made_scenario(4);
  scenario.node.compaction_throughput_bytes_per_s = 2'000;
  scenario.node.disk_bytes = GiB(1);
  FirstCompaction first;
  run_node(scenario, first, {});
  REQUIRE(first.reads > 0);
  // Nothing else happens meanwhile: it reads and writes 2,000 bytes a second.
  REQUIRE(first.ended_us - first.at_us == doctest::Approx(static_cast<double>(first.reads) / 2'000 * 1e6));
  const Bytes more = first.reads / 4;
  const double bound = static_cast<double>(first.used + more) / static_cast<double>(GiB(1));
  scenario.limits = {{.name = "disk_used_share", .value = bound}};
  Recorder recorder(scenario, {.version = "0.1", .scenario_hash = "00", .node = 1}, {});
  run_node(scenario, recorder, {});
  const LimitOutcome outcome = recorder.take().limits.front();
  REQUIRE(outcome.first_breach_us);
  const double after_s = static_cast<double>(*outcome.first_breach_us - first.at_us) / 1e6;
  CHECK(after_s == doctest::Approx(static_cast<double>(more) / 2'000).epsilon(1e-6));
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
