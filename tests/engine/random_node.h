#pragma once

#include <cstdint>

#include "sim/engine/scenario.h"

namespace windrow_test {

/// A small random node: one to three tables of any strategy, few entities, TTLs, late rows, pauses in the rate, ALTERs, a restart,
/// one to eight compactors, a throttle, sometimes a disk that fills. The same seed gives the same scenario.
windrow::Scenario random_node(std::uint64_t seed);

}  // namespace windrow_test
