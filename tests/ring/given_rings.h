#pragma once

#include <vector>

#include "sim/ring/allocation.h"
#include "sim/ring/token_ring.h"

namespace windrow::test {

/// So many nodes of one data centre, node n in rack n mod racks.
inline std::vector<NodePlace> nodes_in_racks(int nodes, int racks) {
  std::vector<NodePlace> places;
  for (int node = 0; node < nodes; ++node) places.push_back({.datacenter = 0, .rack = node % racks});
  return places;
}

/// The recorded ring of six nodes with 16 tokens each (tests/tokens/six-nodes-16.json), from its first token.
inline TokenRing six_nodes_16() {
  const DatacenterTokens datacenter{.rule = {.num_tokens = 16, .replicas = 3}, .first_token = 9178559868972789509};
  return allocate_ring(nodes_in_racks(6, 1), std::vector{datacenter});
}

/// Three nodes with four tokens each: tests/tokens/tokens-4.json.
inline TokenRing three_nodes_4() {
  const DatacenterTokens datacenter{.rule = {.num_tokens = 4, .replicas = 3}, .first_token = -2301524572835813742};
  return allocate_ring(nodes_in_racks(3, 1), std::vector{datacenter});
}

}  // namespace windrow::test
