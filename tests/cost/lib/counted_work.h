#pragma once

#include "sim/cost/work.h"
#include "sim/scenario/scenario.h"

namespace windrow {

/// Plays a scenario, months split, as `windrow run` does, and counts what that takes on all its nodes; where there are
/// outages or repairs each counts like the one that is watched. Hashed keys and stops are not counted.
Work counted_work(const Scenario& scenario);

}  // namespace windrow
