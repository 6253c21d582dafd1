#include <doctest/doctest.h>

#include <fmt/format.h>

#include <cstdint>
#include <exception>
#include <string>

#include "sim/verify/run_check.h"
#include "tests/witness/lib/harness.h"
#include "tests/witness/lib/random_scenario.h"
#include "tests/witness/lib/shrink.h"

namespace windrow::witness {
namespace {

/// Plays the scenario with rows, then holds the cohorts' run to that; what they disagree about, empty if nothing.
std::string disagreement(const OracleScenario& scenario) {
  try {
    const TestResult result = check_run({.name = scenario.comment, .scenario = scenario, .trace = play(scenario)});
    if (result.agrees()) return {};
    if (!result.first) return fmt::format("{} disagreements", result.disagreements);
    const Explanation& first = *result.first;
    return fmt::format("{}: {}, rows {}, cohorts {}", first.where, first.what, first.expected, first.ours);
  } catch (const std::exception& error) {
    return error.what();
  }
}

void hold_cohorts_to_rows(Strategies strategies, std::uint64_t scenarios) {
  int failed = 0;
  for (std::uint64_t seed = 1; seed <= scenarios && failed < 3; ++seed) {
    const OracleScenario scenario = random_scenario(seed, strategies);
    const std::string found = disagreement(scenario);
    if (found.empty()) continue;
    ++failed;
    const OracleScenario smallest =
        shrink(scenario, [](const OracleScenario& smaller) { return !disagreement(smaller).empty(); });
    FAIL_CHECK("seed ", seed, ": ", found, "\nsmallest scenario that fails:\n", oracle_scenario_text(smallest), "there ",
               disagreement(smallest));
  }
}

TEST_CASE("cohorts and rows agree in every field on random scenarios of STCS and TWCS") {
  hold_cohorts_to_rows(Strategies::size_tiered_and_time_window, 1000);
}

TEST_CASE("cohorts and rows agree in every field on random scenarios of all strategies") {
  hold_cohorts_to_rows(Strategies::all, 1000);
}

}  // namespace
}  // namespace windrow::witness
