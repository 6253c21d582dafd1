#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/base/units.h"
#include "sim/ring/replica_map.h"

namespace windrow {

/// What every node owns of the ring, replicas included, 1 for a node that holds all: StorageService
/// .getEffectiveOwnership, Cassandra 5.0.9, with its single-precision sums along the ring. By node number.
std::vector<float> effective_ownership(const ReplicaMap& replicas, std::size_t nodes);

/// Share of every range, rounded half-even to six decimals: Murmur3Partitioner.describeOwnership, Cassandra 5.0.9.
/// `ends` ascend.
std::vector<float> range_shares(std::span<const Token> ends);

/// "33.8%": as nodetool status prints ownership with one decimal, nodetool ring with two.
std::string ownership_text(float share, int decimals);

}  // namespace windrow
