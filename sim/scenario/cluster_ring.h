#pragma once

#include <vector>

#include "sim/ring/replica_map.h"
#include "sim/ring/token_ring.h"

namespace windrow {

/// The nodes of a scenario, one data centre after the other, their tokens, and how often a row is copied. A node's
/// number is its place here; users count from 1.
struct ClusterRing {
  std::vector<NodePlace> places{};
  TokenRing tokens{};
  Replication replication{};
};

}  // namespace windrow
