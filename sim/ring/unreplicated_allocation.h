#pragma once

#include <vector>

#include "sim/base/units.h"
#include "sim/ring/token_ring.h"

namespace windrow {

/// Slices of the largest ranges of the nodes that own most, so that these and the new one come to own about the same:
/// NoReplicationTokenAllocator.addUnit, Cassandra 5.0.9. The ring has at least `num_tokens` tokens, none of them the
/// node's. Nodes or ranges of exactly equal size in the order of their numbers, or along the ring.
std::vector<Token> allocate_unreplicated(const TokenRing& ring, int node, int num_tokens);

}  // namespace windrow
