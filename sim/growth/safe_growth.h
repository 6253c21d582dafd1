#pragma once

#include <cstdint>
#include <functional>

#include "sim/record/run_record.h"

namespace windrow {

/// Multiples of all rates that are tried: of two digits, between these.
inline constexpr double most_growth = 64;
inline constexpr double least_growth = 0.015;

/// How far a search may go, in steps (sim/cost/work.h): the same run gives the same answer on any machine.
struct GrowthBudget {
  std::int64_t few_steps = 0;      // for all trials, whatever the run itself took
  std::int64_t times_the_run = 0;  // or so many times the run's steps
  bool full = false;               // no other budget has more
  std::int64_t most_work(std::int64_t run_work) const;
};
inline constexpr GrowthBudget short_growth = {.few_steps = 60'000'000};
inline constexpr GrowthBudget full_growth = {.few_steps = 1'000'000'000, .times_the_run = 30, .full = true};

/// The scenario with all rates times a factor; std::invalid_argument if there is no such scenario.
using ScaledScenario = std::function<Scenario(double factor)>;

/// Looks for the safe growth factor of a run that is done: runs the scenario with other rates, each run only until a
/// limit breaks; of several nodes those that came nearest to a limit, and what holds there in the end on all the
/// others. What to try next follows from how near the limits were: the same run gives the same trials. Ends after
/// what `budget` has, or when `go_on` says no; the trial on all nodes that confirms an answer may take as much again.
SafeGrowth find_safe_growth(const RunRecord& run, const ScaledScenario& scaled, const GrowthBudget& budget,
                            const std::function<bool()>& go_on);

}  // namespace windrow
