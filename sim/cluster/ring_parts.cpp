#include "sim/cluster/ring_parts.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "sim/base/arithmetic.h"
#include "sim/stats/ring_share.h"

namespace windrow {

namespace {

/// Tokens of (left, right]; left == right is the whole ring.
Int128 width(const TokenRange& range) {
  const std::uint64_t tokens = tokens_between(range.left, range.right);
  return tokens == 0 ? Int128{1} << 64 : static_cast<Int128>(tokens);
}

/// Of `count` equal parts the last token of the number-th, counted from 0.
Token end_of_part(const TokenRange& range, std::int64_t number, std::int64_t count) {
  const auto offset = static_cast<std::uint64_t>(width(range) * (number + 1) / count);
  return static_cast<Token>(static_cast<std::uint64_t>(range.left) + offset);
}

/// Which of `count` equal parts of the range the token lies in.
std::int64_t part_of_range(const TokenRange& range, Token token, std::int64_t count) {
  std::int64_t number = 0;
  const Int128 offset = width({range.left, token});
  while (number + 1 < count && width(range) * (number + 1) / count < offset) ++number;
  return number;
}

TokenRange range_of(const ReplicaMap& replicas, std::size_t range) {
  return {replicas.begin_of(range), replicas.end_of(range)};
}

}  // namespace

RingParts::RingParts(ReplicaMap replicas, std::vector<std::int64_t> subranges, bool by_primary)
    : replicas_(std::move(replicas)), parts_(replicas_.sets()) {
  std::erase(subranges, 1);
  std::ranges::sort(subranges);
  subranges.erase(std::unique(subranges.begin(), subranges.end()), subranges.end());
  if (subranges.empty() && !by_primary) {
    for (std::size_t range = 0; range < replicas_.ranges(); ++range)
      slices_.push_back({range_of(replicas_, range), range, replicas_.set_of_range(range)});
    return;
  }
  cut(subranges, by_primary);
}

void RingParts::cut(const std::vector<std::int64_t>& subranges, bool by_primary) {
  std::map<std::tuple<int, int, std::vector<std::int64_t>>, int> numbers;
  for (std::size_t range = 0; range < replicas_.ranges(); ++range) {
    const TokenRange whole = range_of(replicas_, range);
    std::vector<Token> cuts;
    for (const std::int64_t count : subranges) {
      for (std::int64_t number = 0; number < count; ++number) cuts.push_back(end_of_part(whole, number, count));
    }
    // Of a range with fewer tokens than parts the first ones are empty.
    if (whole.left != whole.right) std::erase(cuts, whole.left);
    cuts.push_back(whole.right);
    std::ranges::sort(cuts, {}, [&](Token token) { return width({whole.left, token}); });
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    Token left = whole.left;
    for (const Token right : cuts) {
      std::vector<std::int64_t> places;
      for (const std::int64_t count : subranges) places.push_back(part_of_range(whole, right, count));
      const int primary = by_primary ? replicas_.replicas(range).front() : -1;
      const auto next = static_cast<int>(numbers.size());
      const auto [part, added] = numbers.try_emplace({replicas_.set_of_range(range), primary, std::move(places)}, next);
      slices_.push_back({{left, right}, range, part->second});
      left = right;
    }
  }
  parts_ = numbers.size();
  std::ranges::sort(slices_, {}, [](const Slice& slice) { return slice.tokens.right; });
  for (const Slice& slice : slices_) ends_.push_back(slice.tokens.right);
}

int RingParts::part_of(Token token) const {
  if (are_sets()) return replicas_.set_of(token);
  const auto end = std::ranges::lower_bound(ends_, token);
  return slices_[end == ends_.end() ? 0 : static_cast<std::size_t>(end - ends_.begin())].part;
}

SetMask RingParts::held_by(int node) const { return parts({.node = node}); }

bool RingParts::is_wanted(const Slice& slice, const RangesWanted& wanted) const {
  const auto replicas = replicas_.replicas(slice.range);
  if (wanted.node) {
    if (wanted.primary && replicas.front() != *wanted.node) return false;
    if (std::ranges::find(replicas, *wanted.node) == replicas.end()) return false;
  }
  return wanted.subranges == 1 ||
         part_of_range(range_of(replicas_, slice.range), slice.tokens.right, wanted.subranges) == wanted.subrange;
}

SetMask RingParts::parts(const RangesWanted& wanted) const {
  SetMask found(parts_);
  for (const Slice& slice : slices_) {
    if (is_wanted(slice, wanted)) found.add(static_cast<std::size_t>(slice.part));
  }
  return found;
}

std::vector<TokenRange> RingParts::ranges(const RangesWanted& wanted) const {
  std::vector<TokenRange> found;
  for (const Slice& slice : slices_) {
    if (is_wanted(slice, wanted)) found.push_back(slice.tokens);
  }
  return found;
}

std::vector<TokenRange> RingParts::trees(const RangesWanted& wanted) const {
  std::map<std::size_t, std::vector<TokenRange>> by_range;
  for (const Slice& slice : slices_) {
    if (is_wanted(slice, wanted)) by_range[slice.range].push_back(slice.tokens);
  }
  std::vector<TokenRange> found;
  for (auto& [range, slices] : by_range) {
    const Token begin = replicas_.begin_of(range);
    std::ranges::sort(slices, {}, [begin](const TokenRange& slice) { return width({begin, slice.right}); });
    found.push_back({slices.front().left, slices.back().right});
  }
  return found;
}

}  // namespace windrow
