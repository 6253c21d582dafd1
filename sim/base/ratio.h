#pragma once

#include <cstdint>

#include "sim/base/arithmetic.h"
#include "sim/base/check.h"

namespace windrow {

/// Takes the same fraction of many numbers, n * over / under, rounded down: without a division, and exact. 1 / 1 until
/// one is given; numbers are not negative, `over` and `under` positive and below 2^60.
class Ratio {
 public:
  struct Part {
    std::int64_t quotient = 0;
    std::int64_t remainder = 0;  // of n * over by under
  };

  Ratio() = default;
  Ratio(std::int64_t over, std::int64_t under) : under_(static_cast<std::uint64_t>(under)) {
    SIM_CHECK(over >= 1 && under >= 1, "a ratio of what is not positive");
    whole_ = over / under;
    over_ = static_cast<std::uint64_t>(over % under);
    share_ = static_cast<std::uint64_t>((static_cast<Uint128>(over_) << 64) / under_);
  }

  Part of(std::int64_t n) const {
    // The share lacks less than 2^-64, so that the quotient lacks one at most. What the products lack beyond 64 bits
    // they lack both.
    const auto number = static_cast<std::uint64_t>(n);
    auto quotient = static_cast<std::uint64_t>(static_cast<Uint128>(number) * share_ >> 64);
    std::uint64_t remainder = number * over_ - quotient * under_;
    if (remainder >= under_) {
      ++quotient;
      remainder -= under_;
    }
    return {n * whole_ + static_cast<std::int64_t>(quotient), static_cast<std::int64_t>(remainder)};
  }

 private:
  std::int64_t whole_ = 1;
  std::uint64_t over_ = 0;  // of what is not whole
  std::uint64_t under_ = 1;
  std::uint64_t share_ = 0;  // over / under in 2^-64, rounded down
};

}  // namespace windrow
