#include "sim/ring/token_arithmetic.h"

#include <array>
#include <charconv>

#include "sim/base/arithmetic.h"
#include "sim/base/check.h"

namespace windrow {
namespace {

constexpr Int128 whole_ring = static_cast<Int128>(max_token) - min_token;  // tokens but one: as the engine counts

/// Beyond the greatest token the ring begins again; the engine makes the least and the greatest token one.
Token wrapped(Int128 token) { return static_cast<Token>(token <= max_token ? token : min_token + (token - max_token)); }

/// A number that is digits / unit.
struct Decimal {
  Int128 digits = 0;
  Int128 unit = 1;
};

/// The shortest decimal that is read back as this double: what Double.toString prints, as a plain number.
Decimal shortest_decimal(double value) {
  SIM_CHECK(value >= 1e-18 && value < 1, "a share of a range is in [1e-18, 1)");
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed).ptr;
  Decimal decimal;
  for (const char* c = text.data() + 2; c != end; ++c) {  // after "0."
    decimal.digits = decimal.digits * 10 + (*c - '0');
    decimal.unit *= 10;
  }
  return decimal;
}

}  // namespace

Token token_midpoint(Token left, Token right) {
  const Int128 sum = static_cast<Int128>(left) + right;
  if (left < right) return static_cast<Token>(sum >> 1);
  return wrapped((sum + whole_ring) >> 1);
}

Token token_split(Token left, Token right, double share) {
  const Decimal decimal = shortest_decimal(share);
  Int128 length = static_cast<Int128>(right) - left;
  if (left >= right) length += whole_ring;
  // At most 35 digits of a share, 17 of them from the first that is not 0. In two steps, since
  // left * unit may need more than 128 bits: length * share = whole + rest / unit.
  const Int128 product = length * decimal.digits;
  Int128 token = left + product / decimal.unit;
  // Truncated toward zero as a whole: below zero a fraction rounds up.
  if (token < 0 && product % decimal.unit != 0) ++token;
  return left < right ? static_cast<Token>(token) : wrapped(token);
}

}  // namespace windrow
