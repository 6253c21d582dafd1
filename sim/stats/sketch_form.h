#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/base/units.h"

namespace windrow {

/// A KeySketch of no more keys stays a list of places when its file is closed. One of as many as `surely_dense_keys`
/// has become registers; between them it depends on how many of the first 6,148 keys share a place.
inline constexpr std::int64_t surely_sparse_keys = 6'147;
inline constexpr std::int64_t surely_dense_keys = 7'685;

/// True if the sketch of a file with these keys (their tokens, and their murmur2) stays a list of places.
bool sketch_stays_sparse(std::vector<std::pair<Token, std::uint64_t>> keys);

}  // namespace windrow
