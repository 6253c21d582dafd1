#pragma once

#include "sim/keys/stream_values.h"
#include "sim/resolve/input_files.h"
#include "sim/words/setting.h"
#include "sim/workload/wall_clock.h"

namespace windrow {

/// The clock that a stream's `zone` names. A zone or file is read as CSV: `from` (a date, UTC) and `offset` (+02:00,
/// ahead of UTC), in ascending order; the first line holds before it, too. What comes after `until_us` is left out.
WallClock clock_of(const Setting<Zone>& zone, Micros until_us, InputFiles& files);

}  // namespace windrow
