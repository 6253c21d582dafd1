#include "sim/replica/merkle.h"

#include <algorithm>
#include <bit>

#include "sim/replica/difference.h"
#include "sim/ring/token_arithmetic.h"

namespace windrow {
namespace {

constexpr std::size_t index_interval = 128;  // min_index_interval
constexpr int deepest = 20;                  // repair_session_max_tree_depth
// On the heap: headers of 12 bytes, references of 4, all of it rounded up to 8.
constexpr Bytes leaf_bytes = 32 + 48;        // OnHeapLeaf: two longs and its hash
constexpr Bytes inner_bytes = 48 + 48 + 24;  // OnHeapInner: the same, two nodes, a flag; its token

}  // namespace

std::int64_t estimated_keys(const KeyedContent& file, const TokenRange& range) {
  std::int64_t keys = 0;
  for (std::size_t sample = 0; sample < file.size(); sample += index_interval) {
    if (contains(range, file[sample].token)) keys += index_interval;
  }
  return std::max<std::int64_t>(1, keys);
}

int tree_depth(std::int64_t keys) {
  if (keys < 2) return 0;
  return std::min(deepest, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(keys - 1))));
}

int tree_depth_within(Bytes bytes) {
  const auto leaves =
      static_cast<std::uint64_t>(std::max<Bytes>(1, (bytes + inner_bytes) / (leaf_bytes + inner_bytes)));
  return std::max(1, static_cast<int>(std::bit_width(leaves)) - 1);
}

TokenRange leaf_of(TokenRange range, int depth, Token token) {
  for (int level = 0; level < depth; ++level) {
    const Token middle = token_midpoint(range.left, range.right);
    if (middle == range.left || middle == range.right) break;
    const TokenRange lower{range.left, middle};
    range = contains(lower, token) ? lower : TokenRange{middle, range.right};
  }
  return range;
}

std::vector<TokenRange> differing_leaves(const Validation& a, const Validation& b, std::span<const TokenRange> ranges,
                                         const CompareValues& values, const ReplicaRules& rules) {
  std::vector<TokenRange> leaves;
  const auto differs = [&](Token token) {
    const auto range = std::ranges::find_if(ranges, [&](const TokenRange& one) { return contains(one, token); });
    if (range == ranges.end()) return;
    const auto place = static_cast<std::size_t>(range - ranges.begin());
    const int depth = rules.shallower_tree_decides ? std::min(a.depths[place], b.depths[place])
                                                   : std::max(a.depths[place], b.depths[place]);
    const TokenRange leaf = leaf_of(*range, depth, token);
    if (leaves.empty() || !(leaves.back() == leaf)) leaves.push_back(leaf);
  };
  auto mine = a.content.begin();
  auto theirs = b.content.begin();
  while (mine != a.content.end() || theirs != b.content.end()) {
    if (theirs == b.content.end() || (mine != a.content.end() && mine->token < theirs->token)) {
      differs((mine++)->token);
    } else if (mine == a.content.end() || theirs->token < mine->token) {
      differs((theirs++)->token);
    } else {
      if (!same_partition(*mine, *theirs, values)) differs(mine->token);
      ++mine;
      ++theirs;
    }
  }
  return leaves;
}

}  // namespace windrow
