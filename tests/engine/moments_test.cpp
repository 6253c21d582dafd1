#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/engine/node.h"
#include "tests/engine/random_node.h"
#include "tests/engine/run_log.h"

namespace {

using namespace windrow;
using windrow_test::RunLog;

/// What the runs did, in all.
struct Totals {
  int commits = 0;
  int drops = 0;
  int refusals = 0;
  int refusals_told_together = 0;
  int changes = 0;
  int restarts = 0;
};

void hold_moments_to_checks(const Scenario& scenario, Totals& totals) {
  RunLog polled;
  RunLog at_moments;
  run_node(scenario, polled, {.ask_at_every_check = true, .go_on = {}});
  run_node(scenario, at_moments, {.ask_at_every_check = false, .go_on = {}});
  for (std::size_t i = 0; i < std::min(polled.lines.size(), at_moments.lines.size()); ++i) {
    CAPTURE(i);
    REQUIRE(at_moments.lines[i] == polled.lines[i]);
  }
  REQUIRE(at_moments.lines.size() == polled.lines.size());
  CHECK(polled.refusals_told_together == 0);
  totals.commits += polled.commits;
  totals.drops += polled.drops;
  totals.refusals += polled.refusals;
  totals.refusals_told_together += at_moments.refusals_told_together;
  totals.changes += polled.changes;
  totals.restarts += polled.restarts;
}

/// A random node whose disk is full before long, every other one without TTLs: refusals last.
Scenario random_full_node(std::uint64_t seed) {
  Scenario scenario = windrow_test::random_node(seed);
  scenario.node.disk_bytes = MiB(50) + static_cast<Bytes>(seed % 40) * 20'000;
  if (scenario.node.compaction_throughput_bytes_per_s == 0) scenario.node.compaction_throughput_bytes_per_s = 5'000;
  if (seed % 2 == 0) return scenario;
  for (WriterSpec& writer : scenario.writers) writer.ttl = {TtlShare{}};
  for (TableSpec& table : scenario.tables) table.schema.options.default_time_to_live = 0;
  for (ChangeSpec& change : scenario.changes) change.after.options.default_time_to_live = 0;
  return scenario;
}

}  // namespace

TEST_CASE("asking at every check and asking only when the answer can have changed give the same run") {
  Totals totals;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    CAPTURE(seed);
    hold_moments_to_checks(windrow_test::random_node(seed), totals);
  }
  // The property is worth something only if the runs did things.
  CHECK(totals.commits > 5'000);
  CHECK(totals.drops > 100);
  CHECK(totals.refusals > 1'000);
  CHECK(totals.changes > 100);
  CHECK(totals.restarts > 50);
}

TEST_CASE("the same where the disk is full: what was refused is asked again when its answer can have changed") {
  Totals totals;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    hold_moments_to_checks(random_full_node(1'000 + seed), totals);
  }
  CHECK(totals.commits > 5'000);
  CHECK(totals.refusals > 20'000);
  CHECK(totals.refusals_told_together > 4'000);
  CHECK(totals.changes > 50);
  CHECK(totals.restarts > 50);
}

TEST_CASE("the same where what a check finds expired is read by its task alone") {
  Totals totals;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    Scenario scenario = random_full_node(2'000 + 2 * seed);
    scenario.changes.clear();
    for (TableSpec& table : scenario.tables) {
      const bool of_two = seed % 2 == 0;
      table.schema.options.compaction_options =
          UnifiedOptions{.scaling_parameters = {of_two ? -2 : 2},
                         .max_sstables_to_compact = of_two ? 4 : 0,
                         .expired_sstable_check_frequency_s = static_cast<Seconds>(60 * (1 + seed % 7)),
                         .unsafe_aggressive_sstable_expiration = true};
    }
    hold_moments_to_checks(scenario, totals);
  }
  CHECK(totals.commits > 1'000);
  CHECK(totals.refusals > 5'000);
  CHECK(totals.refusals_told_together > 500);
}

TEST_CASE("a full disk without a throttle, where one file would be rewritten for ever, is refused") {
  Scenario scenario = windrow_test::random_node(2);
  scenario.node.compaction_throughput_bytes_per_s = 0;
  scenario.node.merge_speed_bytes_per_s = 0;
  scenario.node.disk_bytes = MiB(50) + KiB(500);
  scenario.node.restart_every_us = 0;
  scenario.changes.clear();
  scenario.actions.clear();
  for (TableSpec& table : scenario.tables) {
    table.schema.options.compaction_options = SizeTieredOptions{.common = {.min_threshold = 2}};
  }
  RunLog log;
  CHECK_THROWS_WITH_AS(
      run_node(scenario, log, {}),
      doctest::Contains(
          "again and again as it was, and take no time: give [node] compaction_throughput or merge_speed"),
      std::invalid_argument);
}
