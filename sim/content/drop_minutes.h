#pragma once

#include <cstdint>

#include "sim/content/content.h"

namespace windrow {

/// At how many different minutes something of the cohorts may be dropped, at most `most`: the points that the engine's
/// histogram has of them (rule 2.1 rounds up to 60 s). Minutes of rows that a cohort does not have, because it is cut,
/// count too; keyed rows do not.
std::int64_t drop_minutes(const ContentSpace& space, const Content& content, std::int64_t most);

}  // namespace windrow
