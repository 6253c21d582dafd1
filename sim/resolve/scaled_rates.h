#pragma once

#include "sim/resolve/load_scenario.h"

namespace windrow {

/// The scenario as it would be if every stream wrote `factor` times as often: rates are multiplied before streams are
/// resolved, so that derived streams and adaptive buckets follow. Months are not split (table_months.h). Throws
/// ScenarioError where no such scenario can be.
Scenario with_rates_times(const LoadedScenario& loaded, double factor);

}  // namespace windrow
