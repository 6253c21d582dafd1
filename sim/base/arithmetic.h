#pragma once

#include <cstdint>

namespace windrow {

__extension__ using Int128 = __int128;
__extension__ using Uint128 = unsigned __int128;

/// Rounds toward minus infinity; `b` > 0.
constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a >= 0 ? a / b : -((-(a + 1)) / b) - 1; }

/// Rounds toward plus infinity; `b` > 0.
constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return -floor_div(-a, b); }

/// a * b / c without overflow in between, rounded toward minus infinity; `c` > 0.
constexpr std::int64_t mul_div_floor(std::int64_t a, std::int64_t b, std::int64_t c) {
  std::int64_t small = 0;
  if (!__builtin_mul_overflow(a, b, &small)) return floor_div(small, c);  // 128-bit division is ten times as dear
  const Int128 product = static_cast<Int128>(a) * b;
  Int128 quotient = product / c;
  if (product % c < 0) --quotient;
  return static_cast<std::int64_t>(quotient);
}

/// The same, rounded toward plus infinity.
constexpr std::int64_t mul_div_ceil(std::int64_t a, std::int64_t b, std::int64_t c) { return -mul_div_floor(-a, b, c); }

}  // namespace windrow
