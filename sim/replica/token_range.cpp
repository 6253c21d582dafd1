#include "sim/replica/token_range.h"

#include <algorithm>
#include <limits>

namespace windrow {

bool contains(const TokenRange& range, Token token) {
  if (range.left < range.right) return token > range.left && token <= range.right;
  return token > range.left || token <= range.right;
}

bool contains(const TokenRange& outer, const TokenRange& inner) {
  const auto from = [&](Token token) {
    return static_cast<std::uint64_t>(token) - static_cast<std::uint64_t>(outer.left);
  };
  const auto all = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t end = outer.left == outer.right ? all : from(outer.right);
  const std::uint64_t inner_end = inner.right == outer.left ? all : from(inner.right);
  if (inner.left == inner.right) return outer.left == outer.right;
  return from(inner.left) < inner_end && inner_end <= end;
}

std::vector<TokenInterval> normalized(std::span<const TokenRange> ranges) {
  std::vector<TokenInterval> pieces;
  for (const TokenRange& range : ranges) {
    if (range.left < range.right) {
      pieces.push_back({range.left + 1, range.right});
      continue;
    }
    if (range.left != max_token) pieces.push_back({range.left + 1, max_token});
    pieces.push_back({min_token, range.right});
  }
  std::ranges::sort(pieces, {}, &TokenInterval::first);
  std::vector<TokenInterval> joined;
  for (const TokenInterval& piece : pieces) {
    if (!joined.empty() && (joined.back().last == max_token || piece.first <= joined.back().last + 1)) {
      joined.back().last = std::max(joined.back().last, piece.last);
    } else {
      joined.push_back(piece);
    }
  }
  return joined;
}

bool any_contains(std::span<const TokenInterval> intervals, Token token) {
  return any_covers(intervals, {token, token});
}

bool any_meets(std::span<const TokenInterval> intervals, const TokenInterval& file) {
  const auto place = std::ranges::lower_bound(intervals, file.first, {}, &TokenInterval::last);
  return place != intervals.end() && place->first <= file.last;
}

bool any_covers(std::span<const TokenInterval> intervals, const TokenInterval& file) {
  const auto place = std::ranges::lower_bound(intervals, file.first, {}, &TokenInterval::last);
  return place != intervals.end() && place->first <= file.first && file.last <= place->last;
}

}  // namespace windrow
