#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "sim/stats/vint.h"

namespace windrow {

// Sizes in the commit log, in bytes: those that vary count as their mean.

inline double mean_of(const std::vector<std::int32_t>& sizes) {
  return static_cast<double>(std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0})) /
         static_cast<double>(sizes.size());
}

/// Of a number written as an unsigned vint.
inline double mean_vint(double value) {
  return static_cast<double>(unsigned_vint_size(static_cast<std::uint64_t>(std::max(0.0, value))));
}

/// Of a value behind its length; nothing is written of one without bytes.
inline double length_and(double bytes) { return bytes == 0 ? 0 : bytes + mean_vint(bytes); }

}  // namespace windrow
