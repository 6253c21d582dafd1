#include "sim/growth/safe_growth.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "sim/record/recorder.h"
#include "tests/record/made_scenario.h"

namespace windrow {
namespace {

/// Partitions of 1,440 rows at 1, from one entity.
Scenario scenario_with(const char* limit, double bound) {
  Scenario scenario = test::made_scenario(6, 1);
  scenario.tables.front().flush_size_bytes = 2'000;
  if (bound > 0) scenario.limits.push_back({.name = limit, .table = 0, .value = bound});
  return scenario;
}

Scenario times(Scenario scenario, double factor) {
  for (RateStretch& stretch : scenario.writers.front().rate) {
    stretch.rows *= 1'000;
    stretch.period_us = std::llround(static_cast<double>(stretch.period_us) * 1'000 / factor);
  }
  return scenario;
}

SafeGrowth growth_of(const Scenario& scenario, std::int64_t most_work = INT64_MAX, double most_factor = 1e9,
                     bool full = false) {
  Recorder recorder(scenario, {}, {});
  run_node(scenario, recorder, {});
  const auto scaled = [&](double factor) {
    if (factor > most_factor) throw std::invalid_argument("too fast");
    return times(scenario, factor);
  };
  return find_safe_growth(recorder.take(), scaled, {.few_steps = most_work, .full = full}, [] { return true; });
}

TEST_CASE("the safe growth factor is the largest multiple of two digits at which all limits hold") {
  struct Expected {
    double bound = 0;
    double factor = 0;
    double breaks_at = 0;
  };
  for (const Expected& expected :
       {Expected{1'440 * 3.55, 3.5, 3.6}, Expected{1'440, 1, 1.1}, Expected{1'440 * 0.315, 0.31, 0.32},
        Expected{1'440 * 25.5, 25, 26}, Expected{1'440 * 0.0995, 0.099, 0.1}}) {
    CAPTURE(expected.bound);
    const SafeGrowth growth = growth_of(scenario_with("partition_rows_max", expected.bound));
    REQUIRE(growth.factor);
    REQUIRE(growth.breaks_at);
    CHECK(*growth.factor == expected.factor);
    CHECK(*growth.breaks_at == expected.breaks_at);
    CHECK(growth.stops_at == "partition_rows_max of readings");
    CHECK(growth.note.empty());
  }
}

TEST_CASE("a limit that no multiple breaks, and one that every multiple breaks") {
  const SafeGrowth endless = growth_of(scenario_with("partition_rows_max", 1e9));
  CHECK(endless.factor == most_growth);
  CHECK(!endless.breaks_at);
  CHECK(endless.note.empty());
  const SafeGrowth never = growth_of(scenario_with("partition_rows_max", 1));
  CHECK(!never.factor);
  CHECK(never.breaks_at == least_growth);
}

TEST_CASE("a limit that hardly grows with the rates is tried at once where it would be used up, or at the largest") {
  // A bucket a day for six days is as many SSTables, whatever the rates are.
  Scenario scenario = scenario_with("sstables_max", 40);
  Recorder recorder(scenario, {}, {});
  run_node(scenario, recorder, {});
  std::vector<double> tried;
  const auto scaled = [&](double factor) {
    tried.push_back(factor);
    Scenario larger = times(scenario, factor);
    larger.tables.front().flush_size_bytes = std::llround(2'000 * factor);
    return larger;
  };
  const RunRecord run = recorder.take();
  REQUIRE(run.limits.front().holds());
  const SafeGrowth growth = find_safe_growth(run, scaled, short_growth, [] { return true; });
  CHECK(growth.factor == most_growth);
  REQUIRE(tried.size() == 2);
  CHECK(tried.back() == most_growth);

  // After a first trial there is not enough for one that would be half as far again.
  tried.clear();
  const SafeGrowth cut = find_safe_growth(run, scaled, {.few_steps = 22 * run.work / 10}, [] { return true; });
  CHECK(cut.factor == tried.back());
  CHECK(tried.size() == 1);
  CHECK(cut.note == "the search was cut short; --growth full goes on");
}

TEST_CASE("a limit that is far away and hardly grows with the rates is beyond all multiples") {
  const Scenario scenario = scenario_with("partition_rows_max", 1e9);
  Recorder recorder(scenario, {}, {});
  run_node(scenario, recorder, {});
  const RunRecord run = recorder.take();
  constexpr double slow = 0.015;
  const auto scaled = [&](double factor) { return times(scenario, std::pow(factor, slow)); };
  const SafeGrowth growth = find_safe_growth(run, scaled, {.few_steps = 30 * run.work / 10}, [] { return true; });
  CHECK(*growth.factor > 1);
  CHECK(!growth.breaks_at);
}

TEST_CASE("a search says why it ended early, or did not begin") {
  const SafeGrowth none = growth_of(scenario_with("", 0));
  CHECK(!none.factor);
  CHECK(none.note.empty());

  const SafeGrowth cut = growth_of(scenario_with("partition_rows_max", 1'440 * 3.55), 60);
  CHECK(cut.factor == 1);
  CHECK(cut.note == "the search was cut short; --growth full goes on");
  const SafeGrowth full = growth_of(scenario_with("partition_rows_max", 1'440 * 3.55), 60, 1e9, true);
  CHECK(full.factor == 1);
  CHECK(full.note == "the search was cut short: it takes longer than --growth full may");

  const SafeGrowth fast = growth_of(scenario_with("partition_rows_max", 1'440 * 3.55), INT64_MAX, 3);
  CHECK(fast.factor == 1);
  CHECK(fast.note == "at 3.50 times all rates: too fast");

  Scenario recorded = scenario_with("partition_rows_max", 5'000);
  recorded.tables.front().flushes = {{.at_us = recorded.start_us + test::day_us, .operations = 100, .data_bytes = 0}};
  CHECK(growth_of(recorded).note == "not looked for: flushes follow a recording");
}

TEST_CASE("full growth goes as far as full advice, and no further") {
  CHECK(short_growth.most_work(1'000'000'000'000) == 60'000'000);
  CHECK(full_growth.most_work(0) == 1'000'000'000);
  CHECK(full_growth.most_work(100'000'000) == 3'000'000'000);
  CHECK(full_growth.most_work(INT64_MAX / 2) == INT64_MAX);
}

TEST_CASE("a run for limits alone sees them broken as the whole run does") {
  Scenario scenario = test::made_scenario(12);
  for (const char* name : {"sstables_max", "pending_compactions_max", "partition_rows_max", "partition_cells_max"}) {
    scenario.limits.push_back({.name = name, .table = -1, .value = 1});
  }
  scenario.limits.push_back({.name = "held_back_share", .table = -1, .value = 0.01});
  scenario.limits.push_back({.name = "partition_size_max", .table = 0, .value = 10});
  const auto outcomes = [&](bool only_limits) {
    Recorder recorder(scenario, {}, {.all = false, .only_limits = only_limits});
    run_node(scenario, recorder, {});
    CHECK(recorder.any_limit_broken());
    return recorder.take().limits;
  };
  const std::vector<LimitOutcome> whole = outcomes(false);
  const std::vector<LimitOutcome> alone = outcomes(true);
  REQUIRE(whole.size() == alone.size());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    CAPTURE(whole[i].name);
    CHECK(whole[i].value == alone[i].value);
    CHECK(whole[i].first_breach_us == alone[i].first_breach_us);
  }
}

}  // namespace
}  // namespace windrow
