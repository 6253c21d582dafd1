#pragma once

#include <cstdint>

namespace windrow {

/// java.util.Random (JDK 17): the linear congruential generator of 48 bits, as its documentation states it.
class JavaRandom {
 public:
  explicit JavaRandom(std::int64_t seed) : state_((static_cast<std::uint64_t>(seed) ^ multiplier) & mask) {}

  /// Uniform in [0, 1), a multiple of 2^-53.
  double next_double() {
    const std::uint64_t high = next(26);
    const std::uint64_t low = next(27);
    return static_cast<double>((high << 27) + low) * 0x1.0p-53;
  }

 private:
  static constexpr std::uint64_t multiplier = 0x5DEECE66D;
  static constexpr std::uint64_t mask = (std::uint64_t{1} << 48) - 1;

  std::uint64_t next(int bits) {
    state_ = (state_ * multiplier + 0xB) & mask;
    return state_ >> (48 - bits);
  }

  std::uint64_t state_ = 0;
};

}  // namespace windrow
