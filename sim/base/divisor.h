#pragma once

#include <cstdint>

#include "sim/base/check.h"

namespace windrow {

/// Divides by one number many times, by its reciprocal: several times as fast as a division, and exact. Numerators are
/// 0 to 2^53; 1 stands for the number until one is given.
class Divisor {
 public:
  struct Division {
    std::int64_t quotient = 0;
    std::int64_t remainder = 0;
  };

  Divisor() = default;
  explicit Divisor(std::int64_t number) : number_(number), reciprocal_(1.0 / static_cast<double>(number)) {
    SIM_CHECK(number >= 1, "a division by what is not positive");
  }

  std::int64_t number() const { return number_; }
  Division divide(std::int64_t numerator) const {
    // Off by one at most: numerator and number are exact as doubles, the reciprocal and the product each rounded once.
    auto quotient = static_cast<std::int64_t>(static_cast<double>(numerator) * reciprocal_);
    std::int64_t remainder = numerator - quotient * number_;
    if (remainder < 0) {
      --quotient;
      remainder += number_;
    } else if (remainder >= number_) {
      ++quotient;
      remainder -= number_;
    }
    return {quotient, remainder};
  }

 private:
  std::int64_t number_ = 1;
  double reciprocal_ = 1;
};

}  // namespace windrow
