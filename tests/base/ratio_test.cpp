#include "sim/base/ratio.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>

using windrow::Int128;
using windrow::Ratio;

TEST_CASE("a fraction of any number is that of 128-bit division") {
  const std::int64_t large = (std::int64_t{1} << 62) + 12'345;
  for (const std::int64_t over : {1LL, 3LL, 1'250LL, 999'999LL, 864'000'000'000LL, (1LL << 59) - 1}) {
    for (const std::int64_t under : {1LL, 2LL, 7LL, 1'000'000LL, 86'400'000'000LL, (1LL << 59) + 1}) {
      const Ratio ratio(over, under);
      for (const std::int64_t n : std::initializer_list<std::int64_t>{
               0LL, 1LL, 2LL, 999LL, 1'000'000LL, 123'456'789'012LL, (1LL << 51) - 1, 1LL << 52, large}) {
        for (const std::int64_t beside : {-1LL, 0LL, 1LL}) {
          // Also where the product is a multiple, or one off it.
          const std::int64_t number = std::max<std::int64_t>(0, n / under * under + beside);
          const Int128 product = static_cast<Int128>(number) * over;
          if (product / under > INT64_MAX) continue;
          CAPTURE(over);
          CAPTURE(under);
          CAPTURE(number);
          CHECK(ratio.of(number).quotient == static_cast<std::int64_t>(product / under));
          CHECK(ratio.of(number).remainder == static_cast<std::int64_t>(product % under));
        }
      }
    }
  }
}
