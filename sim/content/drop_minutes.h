#pragma once

#include <cstdint>

#include "sim/content/content.h"
#include "sim/stats/drop_times.h"

namespace windrow {

/// At how many different minutes something of the cohorts may be dropped, at most `most`: the points that the engine's
/// histogram has of them (rule 2.1 rounds up to 60 s). Minutes between the first and the last of a cohort that is cut
/// count though it may have no row in them; keyed rows do not.
std::int64_t drop_minutes(const ContentSpace& space, const Content& content, std::int64_t most);

/// The histogram itself, keyed rows' included.
DropTimes drop_times_of(const ContentSpace& space, const Content& content);
/// Of smooth content: rounded up to equal steps, so few that the engine's bins would hold each of them. The rows that a
/// cohort has between its tokens arrive as all its rows do.
DropTimes smooth_drop_times(const ContentSpace& space, const Content& content);

}  // namespace windrow
