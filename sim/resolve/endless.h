#pragma once

#include "sim/resolve/load_scenario.h"

namespace windrow {

/// A run that would write nothing at all, or that would not end in a day: more flushes, samples, restarts or snapshots
/// than anybody waits for, as far as rates and memory tell. Throws ScenarioError with the setting and the reason.
void refuse_what_does_not_end(const LoadedScenario& loaded);

}  // namespace windrow
