#pragma once

#include <vector>

#include "sim/scenario/scenario.h"

namespace windrow {

/// The part of a writer that falls to one of its bucket numbers.
struct RollingTurn {
  std::int64_t number = 0;
  WriterSpec writer{};
};

/// A writer of rolling(n, time) buckets as n writers, one per bucket number: each writes while it is its bucket's turn,
/// into the same partitions every time. Throws std::invalid_argument where that would be too many, or all entities
/// write at once.
std::vector<RollingTurn> rolling_turns(const WriterSpec& spec);

}  // namespace windrow
