#pragma once

#include <array>
#include <cstdint>

namespace windrow {

/// The sequence of van der Corput in base 2, scaled to whole numbers below 256: term n is the byte n mod 256 with its
/// bits in reverse order. Any run of terms is spread about as evenly as so many numbers can be.
class VanDerCorput {
 public:
  static constexpr int bits = 8;
  static constexpr std::int64_t period = std::int64_t{1} << bits;

  static std::int64_t term(std::int64_t n) { return tables.terms[static_cast<std::size_t>(n & (period - 1))]; }

  /// How many of the first n terms are below a limit of 0 … period - 1.
  static std::int64_t count_below(std::int64_t n, std::int64_t limit) {
    const auto rest = static_cast<std::size_t>(n & (period - 1));
    return (n >> bits) * limit + tables.below[rest][static_cast<std::size_t>(limit)];
  }

 private:
  struct Tables {
    Tables();
    std::array<std::uint8_t, period> terms{};
    std::array<std::array<std::uint8_t, period>, period> below{};  // of the first n terms, by n and limit
  };
  static const Tables tables;
};

}  // namespace windrow
