#pragma once

#include <cstdint>

#include "sim/base/units.h"

namespace windrow {

/// How many tokens lie in (first, last], going round the ring if `last` is below `first`.
inline std::uint64_t tokens_between(Token first, Token last) {
  return static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
}

/// Share of the ring in (left, right], 1 if both are one token: LongToken.size, Cassandra 5.0.9, with its rounding.
double ring_share(Token left, Token right);

/// Share of the ring a file from `first` to `last` covers (rule 1.8; ShardManagerNoDisks.rangeSpanned,
/// Cassandra 5.0.9).
double covered_share(Token first, Token last);

}  // namespace windrow
