#pragma once

#include <cstdint>

#include "sim/content/cohort.h"

namespace windrow {

/// How many of so many slots in turn, from the first on, are in the set.
std::int64_t count_in_turn(const SlotSet& set, std::int64_t first, std::int64_t many);

}  // namespace windrow
