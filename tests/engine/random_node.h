#pragma once

#include <cstdint>

#include "sim/scenario/scenario.h"

namespace windrow_test {

/// A small random node: one to four tables of any strategy, few partitions, TTLs, late rows, overwrites, pauses in the
/// rate, ALTERs, flushes, restarts, one to eight compactors, a throttle, sometimes a disk that fills; many events fall
/// on background checks. The same seed gives the same scenario.
windrow::Scenario random_node(std::uint64_t seed);

}  // namespace windrow_test
