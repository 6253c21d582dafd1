#pragma once

#include <span>
#include <vector>

#include "sim/base/units.h"
#include "sim/strategy/sstable_view.h"

namespace windrow {

// Range<Token>, Cassandra 5.0.9: (left, right], going round the ring where right is not above left.

bool contains(const TokenRange& range, Token token);
/// True if all of `inner` lies in `outer`.
bool contains(const TokenRange& outer, const TokenRange& inner);

/// Tokens from first to last, both included; never round the ring.
struct TokenInterval {
  Token first = 0;
  Token last = 0;
  bool contains(Token token) const { return token >= first && token <= last; }
  friend bool operator==(const TokenInterval&, const TokenInterval&) = default;
};

/// The ranges as disjoint intervals, ascending, that do not touch: Range.normalize, Cassandra 5.0.9.
std::vector<TokenInterval> normalized(std::span<const TokenRange> ranges);

/// True if one of the ascending intervals holds the token.
bool any_contains(std::span<const TokenInterval> intervals, Token token);

/// True if one of the intervals shares a token with `file`.
bool any_meets(std::span<const TokenInterval> intervals, const TokenInterval& file);

/// True if one of the intervals holds all of `file`.
bool any_covers(std::span<const TokenInterval> intervals, const TokenInterval& file);

}  // namespace windrow
