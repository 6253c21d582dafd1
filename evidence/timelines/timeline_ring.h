#pragma once

#include <stdexcept>
#include <string_view>
#include <vector>

#include "sim/ring/token_ring.h"
#include "sim/strategy/sstable_view.h"

namespace windrow {

/// The ring that cases were recorded on; every node holds every range.
class TimelineRing {
 public:
  explicit TimelineRing(TokenRing ring) : ring_(std::move(ring)) {}

  /// Nodes in ring order from the token.
  std::vector<int> replicas(Token token) const;
  /// All ranges of the ring, or those that begin with the node's tokens as the primary replica.
  std::vector<TokenRange> ranges() const;
  std::vector<TokenRange> primary_ranges(int node) const;

 private:
  TokenRing ring_;
};

/// The field `tokens` of tokens-4.json. Throws std::runtime_error.
TimelineRing parse_timeline_ring(std::string_view json);

/// The ring of three nodes with four tokens that the harness gives to every case: for cases that come without the file.
TimelineRing harness_ring();

}  // namespace windrow
