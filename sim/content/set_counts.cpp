#include "sim/content/set_counts.h"

#include <algorithm>

namespace windrow {

std::optional<std::span<const std::int32_t>> SetCounts::before(const SlotSets::Bucket& bucket, const SetMask& sets,
                                                               bool worth) {
  const auto known =
      std::ranges::find_if(known_, [&](const Known& one) { return one.bucket == &bucket && one.sets == sets; });
  if (known != known_.end()) return known->before;
  if (!worth) return {};
  Known& one = known_[next_];
  next_ = (next_ + 1) % known_.size();
  one.bucket = &bucket;
  one.sets = sets;
  one.before.assign(1, 0);
  one.before.reserve(bucket.size() + 1);
  for (const std::uint16_t set : bucket) one.before.push_back(one.before.back() + (sets.holds(set) ? 1 : 0));
  return one.before;
}

}  // namespace windrow
