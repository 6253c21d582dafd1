#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "evidence/recordings/oracle_workload.h"
#include "evidence/recordings/run_check.h"
#include "tests/support/seeds.h"
#include "tests/witness/lib/compare.h"
#include "tests/witness/lib/harness.h"
#include "tests/witness/lib/random_scenario.h"
#include "tests/witness/lib/shrink.h"

namespace windrow::witness {
namespace {

/// Plays the scenario with rows, then holds the cohorts' run to that; what they disagree about, empty if nothing.
std::string disagreement(const OracleScenario& scenario) {
  try {
    const TestResult result =
        check_run({.name = scenario.comment, .scenario = scenario, .trace = play(scenario)}, Replay::exact).run;
    if (result.agrees()) return {};
    if (!result.first) return fmt::format("{} disagreements", result.disagreements);
    const Explanation& first = *result.first;
    return fmt::format("{}: {}, rows {}, cohorts {}", first.where, first.what, first.expected, first.ours);
  } catch (const std::exception& error) {
    return error.what();
  }
}

using Make = OracleScenario (*)(std::uint64_t, Strategies);

void hold_cohorts_to_rows(Strategies strategies, std::uint64_t scenarios, Make make = random_scenario) {
  int failed = 0;
  for (std::uint64_t seed = 1; seed <= scenarios && failed < 3; ++seed) {
    const OracleScenario scenario = make(seed, strategies);
    const std::string found = disagreement(scenario);
    if (found.empty()) continue;
    ++failed;
    const OracleScenario smallest =
        shrink(scenario, [](const OracleScenario& smaller) { return !disagreement(smaller).empty(); });
    FAIL_CHECK("seed ", seed, ": ", found, "\nsmallest scenario that fails:\n", oracle_scenario_text(smallest),
               "there ", disagreement(smallest));
  }
}

TEST_CASE("cohorts and rows agree in every field on random scenarios of STCS and TWCS") {
  hold_cohorts_to_rows(Strategies::size_tiered_and_time_window, 1000);
}

TEST_CASE("cohorts and rows agree in every field on random scenarios of all strategies") {
  hold_cohorts_to_rows(Strategies::all, 1000);
}

TEST_CASE("cohorts and rows agree in every field on writes that recordings do not have") {
  hold_cohorts_to_rows(Strategies::size_tiered_and_time_window, 700, random_scenario_beyond);
  hold_cohorts_to_rows(Strategies::all, 300, random_scenario_beyond);
}

TEST_CASE("cohorts and rows agree in every field on nulls and collections") {
  hold_cohorts_to_rows(Strategies::size_tiered_and_time_window, 500, random_scenario_of_columns);
  hold_cohorts_to_rows(Strategies::all, 300, random_scenario_of_columns);
}

TEST_CASE("where a purge tells a microsecond, nulls outlive what the collection beside them replaced") {
  // Both entities write at one instant: the row of one blocks the other's, a microsecond after what that replaced.
  const std::string options =
      "gc_grace_seconds = 30000 AND bloom_filter_fp_chance = 0.01 AND default_time_to_live = 7201 AND "
      "min_index_interval = 4 AND compression = {'enabled': 'false'} AND ";
  const auto windows = [](const std::string& size, const std::string& others) {
    return fmt::format(
        "compaction = {{'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'MINUTES', "
        "'compaction_window_size': '{}', 'tombstone_threshold': '0.05'{}}}\n",
        size, others);
  };
  const std::string found = disagreement(parse_oracle_scenario(
      "start = 2026-03-24T13:53:20Z\ndays = 1.096076388888889\nflush_every_rows = 21\ntable = " + options +
      windows("12", ", 'expired_sstable_check_frequency_seconds': '5000', 'max_threshold': '9'") +
      "alter.1.at_s = 16310\nalter.1.with = " +
      windows("60", ", 'min_sstable_size': '0', 'tombstone_compaction_interval': '3600'") +
      "streams = a\na.entities = 2\na.period_s = 5946\na.stagger = none\na.value_size = 8\na.null_columns = 1\n"
      "a.elements = 1\n"));
  CHECK(found == "");
}

TEST_CASE("cohorts and rows agree in every field on static columns") {
  hold_cohorts_to_rows(Strategies::size_tiered_and_time_window, 500, random_scenario_of_statics);
  hold_cohorts_to_rows(Strategies::all, 500, random_scenario_of_statics);
}

/// Two or three tables of one node, with slow compactions that wait for the few slots they share.
std::vector<OracleScenario> tables_of_a_node(std::uint64_t seed) {
  std::vector<OracleScenario> tables;
  for (std::uint64_t table = 0; table < 2 + seed % 2; ++table) {
    OracleScenario scenario = random_scenario(1'000'000 + seed * 3 + table, Strategies::all);
    const Seconds move_s = tables.empty() ? 0 : tables.front().start_s - scenario.start_s;
    scenario.start_s += move_s;
    scenario.end_s += move_s;
    for (OracleAlter& alter : scenario.alters) alter.at_s += move_s;
    scenario.compaction_slots = 1 + static_cast<int>(seed % 2);
    scenario.compaction_delay_s = static_cast<Seconds>(300 + seed % 7 * 900);
    tables.push_back(std::move(scenario));
  }
  return tables;
}

TEST_CASE("cohorts and rows agree in every field where tables of a node share its compaction slots") {
  std::int64_t waited = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    const std::vector<OracleScenario> tables = tables_of_a_node(seed);
    const std::vector<Trace> traces = play_together(tables);
    std::vector<Recording> recordings;
    for (std::size_t i = 0; i < tables.size(); ++i) {
      recordings.push_back({.name = tables[i].comment, .scenario = tables[i], .trace = traces[i]});
      if (i > 0 && compare(traces[i], play(tables[i])).size() > 0) ++waited;
    }
    for (const auto& [pick, result] : check_runs(recordings, Replay::exact)) {
      CHECK(result.agrees());
      if (result.first)
        MESSAGE(result.first->where, ": ", result.first->what, ", ", result.first->expected, " not ",
                result.first->ours);
    }
  }
  CHECK(waited > 100);  // else they would not have met
}

TEST_CASE("cohorts and rows agree in every field where what is older is deleted beside intervals") {
  int beside = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed)
    beside += oracle_workload(random_scenario_of_ranges(seed)).deletes_partitions() ? 1 : 0;
  CHECK(beside > 300);
  const std::uint64_t seeds = windrow_test::seeds(400);
  hold_cohorts_to_rows(Strategies::size_tiered_and_time_window, seeds, random_scenario_of_ranges);
  hold_cohorts_to_rows(Strategies::all, seeds, random_scenario_of_ranges);
}

}  // namespace
}  // namespace windrow::witness
