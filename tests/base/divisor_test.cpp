#include "sim/base/divisor.h"

#include <doctest/doctest.h>

#include <random>

namespace windrow {
namespace {

TEST_CASE("a reciprocal divides as a division does") {
  std::mt19937_64 random(1);
  for (const std::int64_t number : {1LL, 2LL, 3LL, 7LL, 141LL, 20'000LL, 1'000'003LL, 4'503'599'627'370'497LL}) {
    const Divisor divisor(number);
    const auto check = [&](std::int64_t numerator) {
      const auto [quotient, remainder] = divisor.divide(numerator);
      CHECK(quotient == numerator / number);
      CHECK(remainder == numerator % number);
    };
    for (std::int64_t times : {0LL, 1LL, 2LL, 1000LL, 1'000'000LL}) {
      if (times > INT64_MAX / number - 1) continue;
      for (const std::int64_t more : {-1LL, 0LL, 1LL}) {
        if (times * number + more >= 0) check(times * number + more);
      }
    }
    check(INT64_MAX);
    for (int i = 0; i < 1000; ++i) check(static_cast<std::int64_t>(random() >> (1 + i % 40)));
  }
}

}  // namespace
}  // namespace windrow
