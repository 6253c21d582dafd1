#pragma once

#include <vector>

#include "sim/base/units.h"
#include "sim/ring/token_ring.h"

namespace windrow {

/// Splits the largest range, again and again, at 0.553 to 0.628 of it: TokenAllocatorBase.generateSplits,
/// Cassandra 5.0.9, which draws from a generator seeded with the number of tokens there are. An empty ring begins with
/// `first_token`. In the order in which they are made; costs tokens in the ring times `num_tokens`.
std::vector<Token> split_largest(const TokenRing& ring, int num_tokens, Token first_token);

}  // namespace windrow
