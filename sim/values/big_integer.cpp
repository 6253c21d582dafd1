#include "sim/values/big_integer.h"

#include <algorithm>
#include <vector>

namespace windrow {
namespace {

/// digits * base + more, in place; least significant digit first.
void multiply_add(std::vector<unsigned>& digits, unsigned digit_base, unsigned base, unsigned more) {
  unsigned carry = more;
  for (unsigned& digit : digits) {
    carry += digit * base;
    digit = carry % digit_base;
    carry /= digit_base;
  }
  for (; carry > 0; carry /= digit_base) digits.push_back(carry % digit_base);
}

// -x = not (x - 1), and back.
void invert_and_add_one(std::vector<unsigned>& bytes) {
  unsigned carry = 1;
  for (unsigned& byte : bytes) {
    carry += byte ^ 0xFFU;
    byte = carry & 0xFFU;
    carry >>= 8;
  }
}

}  // namespace

std::string big_integer_bytes(bool negative, std::string_view digits) {
  std::vector<unsigned> bytes;
  for (const char digit : digits) multiply_add(bytes, 256, 10, static_cast<unsigned>(digit - '0'));
  bytes.push_back(0);  // room for the sign
  if (negative) invert_and_add_one(bytes);
  const auto needless = [&] {
    const std::size_t size = bytes.size();
    return size > 1 && bytes[size - 1] == ((bytes[size - 2] & 0x80U) != 0 ? 0xFFU : 0U);
  };
  while (needless()) bytes.pop_back();
  std::string big_endian;
  for (auto byte = bytes.rbegin(); byte != bytes.rend(); ++byte) big_endian.push_back(static_cast<char>(*byte));
  return big_endian;
}

std::string big_integer_digits(std::string_view bytes) {
  std::vector<unsigned> magnitude;
  for (auto byte = bytes.rbegin(); byte != bytes.rend(); ++byte) magnitude.push_back(static_cast<unsigned char>(*byte));
  if (big_integer_negative(bytes)) invert_and_add_one(magnitude);
  std::vector<unsigned> digits;
  for (auto byte = magnitude.rbegin(); byte != magnitude.rend(); ++byte) multiply_add(digits, 10, 256, *byte);
  std::string text;
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) text.push_back(static_cast<char>('0' + *digit));
  return text;
}

int compare_big_integers(std::string_view a, std::string_view b) {
  const bool negative = big_integer_negative(a);
  if (negative != big_integer_negative(b)) return negative ? -1 : 1;
  // The shortest form: of two numbers of one sign the longer is farther from zero.
  if (a.size() != b.size()) return (a.size() > b.size()) == negative ? -1 : 1;
  return a.compare(b);
}

}  // namespace windrow
