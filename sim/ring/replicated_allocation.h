#pragma once

#include <span>
#include <vector>

#include "sim/base/units.h"
#include "sim/ring/token_ring.h"

namespace windrow {

/// Middles of existing ranges, greedily those that most even out what tokens and nodes own with `replicas` replicas in
/// different groups: ReplicationAwareTokenAllocator.addUnit, Cassandra 5.0.9, with its sums in its order.
/// `groups` is a number for every node: itself, or its rack. The ring has at least `num_tokens` tokens of at least
/// `replicas` groups, none of them the node's. Costs about tokens in the ring × replicas × log.
std::vector<Token> allocate_replicated(const TokenRing& ring, std::span<const int> groups, int node, int num_tokens,
                                       int replicas);

}  // namespace windrow
