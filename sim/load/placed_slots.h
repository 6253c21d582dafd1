#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/placement/owned_slots.h"
#include "sim/placement/replica_sets.h"
#include "sim/placement/slot_hasher.h"
#include "sim/ring/replica_map.h"
#include "sim/workload/node_slots.h"

namespace windrow {

/// The slots of a bucket that a node owns, ascending: every key is hashed.
std::vector<std::int64_t> slots_of_bucket(SlotHasher& hasher, std::int64_t label, const ReplicaMap& replicas, int node);

/// Which partitions of a writer a node owns: names are hashed again where somebody asks for one.
class PlacedSlots final : public NodeSlots {
 public:
  /// As keys hash: in the buckets of these labels, from `first_bucket` on. What it is given outlives it.
  PlacedSlots(const SlotKeys& keys, const ReplicaMap& replicas, int node, std::int64_t first_bucket,
              std::vector<Bucket> buckets, std::vector<std::int64_t> labels);
  /// So many of all, evenly.
  PlacedSlots(const SlotKeys& keys, std::int64_t owned);

  Place place(std::int64_t bucket, std::int64_t slot) const override;

 private:
  SlotKeys keys_;
  const ReplicaMap* replicas_ = nullptr;
  int node_ = 0;
  std::int64_t first_bucket_ = 0;
  std::vector<std::int64_t> labels_{};
  std::optional<OwnedSlots> even_{};
  mutable std::optional<SlotHasher> hasher_{};
  mutable std::optional<std::int64_t> label_{};  // whose slots these are
  mutable std::vector<std::int64_t> slots_{};
};

}  // namespace windrow
