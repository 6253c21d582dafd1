#pragma once

#include <string>
#include <vector>

#include "sim/cli/advice_trials.h"
#include "sim/cli/prepared_run.h"

namespace windrow {

/// Where nodes missed deletes: plays the scenario with other intervals of repairs and other gc_graces, and writes down
/// how far each can go (sim/advice/safe_bounds.h). With `quick` only what is within the work of its fixes; nothing to
/// do with `off`.
void find_safe_bounds(const PreparedRun& prepared, const std::vector<std::string>& assignments, AdviceSearch advice,
                      const Advance& advance, const Step& phase, RunRecord& record);

}  // namespace windrow
