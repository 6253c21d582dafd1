#pragma once

#include <bit>
#include <cstdint>

namespace windrow {

/// Bytes of an unsigned vint (VIntCoding.computeUnsignedVIntSize, Cassandra 5.0): 1 to 9.
constexpr int unsigned_vint_size(std::uint64_t x) { return 9 - (std::countl_zero(x | 1) - 1) / 7; }

/// The same of a size, which is never below 0.
constexpr int vint_size(std::int64_t size) { return unsigned_vint_size(static_cast<std::uint64_t>(size)); }

/// Bytes of a signed, zigzag-encoded vint.
constexpr int signed_vint_size(std::int64_t n) {
  return unsigned_vint_size((static_cast<std::uint64_t>(n) << 1) ^ static_cast<std::uint64_t>(n >> 63));
}

}  // namespace windrow
