#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstdint>

#include "sim/base/arithmetic.h"
#include "sim/base/units.h"

namespace windrow {

/// The hours of a run, as the clock has them: the first and the last may be parts.
struct Hours {
  static constexpr Micros us = 3600 * us_per_s;
  Micros start_us = 0;
  Micros end_us = 0;

  std::int64_t first() const { return floor_div(start_us, us); }
  int count() const { return static_cast<int>(ceil_div(end_us, us) - first()); }
  /// When hour h begins; of hour count(): the end of the run.
  Micros begin_us(int h) const { return std::clamp((first() + h) * us, start_us, end_us); }
};

/// Whole rows by hour and node, or by hour and anything else.
using NodeHours = Eigen::Array<std::int64_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace windrow
