#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "sim/base/units.h"

namespace windrow {

/// Both halves of Cassandra's MurmurHash3 x64-128 (seed 0, tail bytes sign-extended): `h1` before normalisation, as the
/// bloom filter uses it.
struct Murmur3Hash {
  std::int64_t h1 = 0;
  std::int64_t h2 = 0;
};
Murmur3Hash murmur3(std::string_view key);

/// Murmur3Partitioner.getToken: h1, Long.MIN becomes Long.MAX; an empty key is Long.MIN.
Token murmur3_token(std::string_view key);

}  // namespace windrow
