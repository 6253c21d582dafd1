#pragma once

#include <cstdint>

namespace windrow {

/// `base` to a whole power, not negative: the same bytes on every machine.
inline double whole_power(double base, std::int64_t exponent) {
  double product = 1;
  for (; exponent > 0; exponent /= 2, base *= base) {
    if (exponent % 2 == 1) product *= base;
  }
  return product;
}

}  // namespace windrow
