#include "sim/load/placed_slots.h"

#include <algorithm>
#include <utility>

#include "sim/base/check.h"

namespace windrow {

std::vector<std::int64_t> slots_of_bucket(SlotHasher& hasher, std::int64_t label, const ReplicaMap& replicas,
                                          int node) {
  std::vector<char> owns(replicas.sets(), 0);
  for (std::size_t set = 0; set < owns.size(); ++set)
    owns[set] = std::ranges::binary_search(replicas.set(static_cast<int>(set)), node) ? 1 : 0;
  std::vector<std::int64_t> slots;
  const std::vector<int>& sets = hasher.sets(label, replicas);
  for (std::size_t slot = 0; slot < sets.size(); ++slot) {
    if (owns[static_cast<std::size_t>(sets[slot])] != 0) slots.push_back(static_cast<std::int64_t>(slot));
  }
  return slots;
}

PlacedSlots::PlacedSlots(const SlotKeys& keys, const ReplicaMap& replicas, int node, std::int64_t first_bucket,
                         std::vector<Bucket> buckets, std::vector<std::int64_t> labels)
    : NodeSlots(first_bucket, std::move(buckets)),
      keys_(keys),
      replicas_(&replicas),
      node_(node),
      first_bucket_(first_bucket),
      labels_(std::move(labels)) {}

PlacedSlots::PlacedSlots(const SlotKeys& keys, std::int64_t owned)
    : NodeSlots(0, {}), keys_(keys), even_(OwnedSlots::even(keys.slots(), owned)) {}

NodeSlots::Place PlacedSlots::place(std::int64_t bucket, std::int64_t slot) const {
  const auto named = [&](std::int64_t of_all) {
    return Place{.entity = of_all % keys_.entities, .shard = of_all / keys_.entities};
  };
  if (even_) return named(even_->slot(slot));
  const std::int64_t at = labels_.size() == 1 ? 0 : bucket - first_bucket_;
  SIM_CHECK(at >= 0 && at < std::ssize(labels_), "a bucket in which the node has partitions");
  const std::int64_t label = labels_[static_cast<std::size_t>(at)];
  if (label_ != label) {
    if (!hasher_) hasher_.emplace(keys_);
    slots_ = slots_of_bucket(*hasher_, label, *replicas_, node_);
    label_ = label;
  }
  return named(slots_[static_cast<std::size_t>(slot)]);
}

}  // namespace windrow
