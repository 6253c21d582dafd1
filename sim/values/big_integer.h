#pragma once

#include <string>
#include <string_view>

namespace windrow {

// java.math.BigInteger as varint and decimal store it: the shortest big-endian two's complement.

/// Bytes of a number from its decimal digits, of which there is at least one.
std::string big_integer_bytes(bool negative, std::string_view digits);

/// Decimal digits of the magnitude, without leading zeros; of zero: none.
std::string big_integer_digits(std::string_view bytes);

constexpr bool big_integer_negative(std::string_view bytes) { return !bytes.empty() && (bytes[0] & 0x80) != 0; }

/// Negative, 0 or positive.
int compare_big_integers(std::string_view a, std::string_view b);

}  // namespace windrow
