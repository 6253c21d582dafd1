#include "sim/ring/local_ranges.h"

#include <algorithm>

#include "sim/ring/token_arithmetic.h"
#include "sim/stats/ring_share.h"

namespace windrow {

LocalRanges::LocalRanges(const ReplicaMap& replicas, int node) {
  for (std::size_t range = 0; range < replicas.ranges(); ++range) {
    const auto holders = replicas.replicas(range);
    if (std::ranges::find(holders, node) == holders.end()) continue;
    const Token left = replicas.begin_of(range);
    const Token right = replicas.end_of(range);
    if (left < right) {
      ranges_.push_back({left, right});
      continue;
    }
    ranges_.push_back({left, min_token});
    if (right != min_token) ranges_.push_back({min_token, right});
  }
  std::ranges::sort(ranges_, {}, &Range::left);
  double position = 0;
  for (const Range& range : ranges_) positions_.push_back(position += ring_share(range.left, range.right));
}

double LocalRanges::spanned(Token first, Token last) const {
  const Token right = last == max_token ? min_token : last + 1;
  double sum = 0;
  for (const Range& range : ranges_) {
    const Token from = std::max(first, range.left);
    const Token to = range.right == min_token ? right : right == min_token ? range.right : std::min(right, range.right);
    if (to == min_token || from < to) sum += ring_share(from, to);
  }
  return sum;
}

std::vector<Token> LocalRanges::shard_ends(std::int64_t shards) const {
  std::vector<Token> ends;
  if (ranges_.empty()) return ends;
  const double step = positions_.back() / static_cast<double>(shards);
  std::size_t current = 0;
  for (std::int64_t k = 1; k < shards; ++k) {
    const double position = step * static_cast<double>(k);
    while (current + 1 < positions_.size() && position > positions_[current]) ++current;
    const double left = current > 0 ? positions_[current - 1] : 0;
    const double share = (position - left) / (positions_[current] - left);
    const Range& range = ranges_[current];
    ends.push_back(share >= 1 ? range.right : token_split(range.left, range.right, share));
  }
  return ends;
}

std::shared_ptr<const LocalRanges> local_ranges_of(const ReplicaMap& replicas, int node) {
  for (int set = 0; set < static_cast<int>(replicas.sets()); ++set) {
    if (!std::ranges::binary_search(replicas.set(set), node))
      return std::make_shared<const LocalRanges>(replicas, node);
  }
  return nullptr;
}

}  // namespace windrow
