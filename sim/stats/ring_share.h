#pragma once

#include "sim/base/units.h"

namespace windrow {

/// Share of the ring in (left, right], 1 if both are one token: LongToken.size, Cassandra 5.0.9, with its rounding.
double ring_share(Token left, Token right);

/// Share of the ring a file from `first` to `last` covers (rule 1.8; ShardManagerNoDisks.rangeSpanned, Cassandra 5.0.9).
double covered_share(Token first, Token last);

}  // namespace windrow
