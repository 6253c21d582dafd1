#pragma once

#include <span>
#include <vector>

#include "sim/ring/replica_map.h"
#include "sim/ring/token_ring.h"

namespace windrow {

/// Replicas of every range, one after another; all ranges have as many.
struct NaturalReplicas {
  std::size_t each = 0;
  std::vector<int> nodes{};
};

/// Walks the ring from the end of every range on. SimpleStrategy takes the first different nodes.
/// NetworkTopologyStrategy takes in each data centre nodes of racks it has not met, and of met ones only as many as
/// replicas outnumber racks.
NaturalReplicas natural_replicas(const TokenRing& ring, std::span<const NodePlace> places,
                                 const Replication& replication);

}  // namespace windrow
