#pragma once

#include <cstdint>
#include <functional>

#include "sim/record/run_record.h"

namespace windrow {

/// Multiples of all rates that are tried: of two digits, between these.
inline constexpr double most_growth = 64;
inline constexpr double least_growth = 0.015;

/// Steps (sim/cost/work.h) that a search may take unless it is told to take whatever it needs: two or three seconds.
inline constexpr std::int64_t short_search_work = 60'000'000;

/// The scenario with all rates times a factor; std::invalid_argument if there is no such scenario.
using ScaledScenario = std::function<Scenario(double factor)>;

/// Looks for the safe growth factor of a run that is done: runs the scenario with other rates, each run only until a
/// limit breaks; of several nodes those that came nearest to a limit, and what holds there in the end on all the
/// others. What to try next follows from how near the limits were: the same run gives the same trials. Ends after
/// `most_work`, or when `go_on` says no.
SafeGrowth find_safe_growth(const RunRecord& run, const ScaledScenario& scaled, std::int64_t most_work,
                            const std::function<bool()>& go_on);

}  // namespace windrow
