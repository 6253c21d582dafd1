#pragma once

#include <span>

#include "sim/scenario/scenario.h"

namespace windrow {

/// Nodes of all data centres.
inline int node_count(std::span<const DataCenter> centers) {
  int nodes = 0;
  for (const DataCenter& center : centers) nodes += center.nodes;
  return nodes;
}

}  // namespace windrow
