#pragma once

#include <cstdint>

namespace windrow {

/// Calls `each(value)` for the values in (first, last] at which an unsigned vint of value - base changes its size;
/// below the base it has 9 bytes.
template <typename Each>
void each_date_step(std::int64_t base, std::int64_t first, std::int64_t last, const Each& each) {
  if (first < base && base <= last) each(base);
  for (int bits = 7; bits <= 56; bits += 7) {
    const std::int64_t step = base + (std::int64_t{1} << bits);
    if (step > last) break;
    if (step > first) each(step);
  }
}

}  // namespace windrow
