#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/base/units.h"
#include "sim/ring/token_ring.h"

namespace windrow {

/// A node by name, and where it stands.
struct NamedNode {
  std::string datacenter{};
  std::string name{};
  std::string rack{};
  friend bool operator==(const NamedNode&, const NamedNode&) = default;
};

/// A row of ring.csv.
struct GivenToken {
  NamedNode node{};
  Token token = 0;
};

/// Nodes in the order in which they first come. Throws RingError where a node of a data centre is in two racks.
std::vector<NamedNode> nodes_of(std::span<const GivenToken> rows);

/// Numbers of data centres, and of racks within them, as they first come.
std::vector<NodePlace> places_of(std::span<const NamedNode> nodes);

/// The ring of these nodes by the rows. Throws RingError where a row has another node or rack, a token is there twice
/// or is the partitioner's least (no key has it), or a node has no token.
TokenRing given_ring(std::span<const GivenToken> rows, std::span<const NamedNode> nodes);

}  // namespace windrow
