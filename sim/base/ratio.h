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
  Ratio(std::int64_t over, std::int64_t under)
      : over_(over), under_(under), share_(static_cast<double>(over) / static_cast<double>(under)) {
    SIM_CHECK(over >= 1 && under >= 1, "a ratio of what is not positive");
  }

  Part of(std::int64_t n) const {
    constexpr double held = 1LL << 51;
    const double about = static_cast<double>(n) * share_;
    if (about >= held || n >= std::int64_t{1} << 52) return divided(n);
    // Off by one at most. What the products lack beyond 64 bits they lack both.
    Part part{.quotient = static_cast<std::int64_t>(about)};
    part.remainder =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(n) * static_cast<std::uint64_t>(over_) -
                                  static_cast<std::uint64_t>(part.quotient) * static_cast<std::uint64_t>(under_));
    if (part.remainder < 0) {
      --part.quotient;
      part.remainder += under_;
    } else if (part.remainder >= under_) {
      ++part.quotient;
      part.remainder -= under_;
    }
    return part;
  }

 private:
  Part divided(std::int64_t n) const {
    const Int128 product = static_cast<Int128>(n) * over_;
    return {static_cast<std::int64_t>(product / under_), static_cast<std::int64_t>(product % under_)};
  }

  std::int64_t over_ = 1;
  std::int64_t under_ = 1;
  double share_ = 1;
};

}  // namespace windrow
