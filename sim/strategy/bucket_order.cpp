#include "sim/strategy/bucket_order.h"

#include <algorithm>
#include <functional>

#include "sim/stats/java_hash.h"

namespace windrow {
namespace {

/// Files of a bucket, each once, in the order in which the engine collects them from its sets
/// (UnifiedCompactionStrategy.Bucket, Cassandra 5.0.9): the order of a hash set, filled from the sets' own.
std::vector<std::uint32_t> as_collected(std::span<const OverlapSet> sets, std::span<const SSTableView* const> files) {
  const auto hash = [&](std::uint32_t member) { return files[member]->hash; };
  std::vector<std::uint32_t> members;
  std::vector<bool> known(files.size(), false);
  for (const OverlapSet& set : sets) {
    for (const std::uint32_t member : in_hash_order(set, hash, hash_capacity_of_copy(set.size()))) {
      if (!known[member]) members.push_back(member);
      known[member] = true;
    }
  }
  return sets.size() == 1 ? members : in_hash_order(members, hash);
}

}  // namespace

std::vector<std::uint32_t> BucketOrder::newest_first(std::span<const OverlapSet> sets, const OverlapBucket& bucket) {
  std::vector<std::uint32_t> members;
  for (const OverlapSet& set : sets.subspan(bucket.begin, bucket.end - bucket.begin))
    members.insert(members.end(), set.begin(), set.end());
  std::ranges::sort(members);
  members.erase(std::unique(members.begin(), members.end()), members.end());
  const auto timestamp = [&](std::uint32_t member) { return files_[member]->max_timestamp_us; };
  std::ranges::sort(members, std::greater<>{}, timestamp);
  if (std::ranges::adjacent_find(members, {}, timestamp) == members.end()) return members;
  if (collected_.empty()) collected_ = overlap_sets_as_collected(spans_);
  members = as_collected(std::span(collected_).subspan(bucket.begin, bucket.end - bucket.begin), files_);
  std::ranges::stable_sort(members, std::greater<>{}, timestamp);
  return members;
}

}  // namespace windrow
