#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sim/base/units.h"

namespace windrow {

/// Where a node stands. Nodes, data centres and racks are numbers from 0; a rack's number is its own within its data
/// centre.
struct NodePlace {
  int datacenter = 0;
  int rack = 0;
};

struct OwnedToken {
  Token token = 0;
  int node = 0;
  friend bool operator==(const OwnedToken&, const OwnedToken&) = default;
};

/// Tokens of nodes, ascending. Range i is (token i - 1, token i], range 0 begins at the last token: TokenMetadata,
/// Cassandra 5.0.9.
class TokenRing {
 public:
  TokenRing() = default;
  /// In any order. No token may be there twice.
  explicit TokenRing(std::vector<OwnedToken> tokens);

  std::span<const OwnedToken> tokens() const { return tokens_; }
  std::size_t size() const { return tokens_.size(); }
  bool empty() const { return tokens_.empty(); }
  /// The token's place if a node has it; null otherwise.
  const OwnedToken* find(Token token) const;
  /// Adds the tokens of one more node; nobody may have them.
  void join(int node, std::span<const Token> tokens);
  /// Ascending.
  std::vector<Token> tokens_of(int node) const;

 private:
  std::vector<OwnedToken> tokens_{};
};

}  // namespace windrow
