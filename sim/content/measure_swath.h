#pragma once

#include "sim/content/measure.h"
#include "sim/content/swath.h"

namespace windrow {

/// As measure_by_intervals of what the swath holds.
ClosedMeasure measure_swath(const Swath& swath);

}  // namespace windrow
