#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/placement/budget.h"
#include "sim/placement/owned_slots.h"
#include "sim/placement/replica_sets.h"
#include "sim/ring/replica_map.h"

namespace windrow {

/// A bucket of a run: what its keys hold of it, and the writer's first row in it.
struct PlacedBucket {
  std::int64_t label = 0;
  std::int64_t first_row = 0;
};

/// For each of a run's buckets the one whose keys are hashed for it: itself, or, where it borrows, a drawn one of those
/// that are hashed, which stand evenly in the run. `name` is the writer's stream of the seed.
std::vector<std::size_t> placement_sources(std::size_t buckets, const PlacementPlan& plan, std::uint64_t seed,
                                           std::string_view name);

/// Who holds the partitions of one writer, bucket by bucket: how many slots each node owns and where its round begins.
/// Nothing else is kept; the slots themselves are hashed again when they are asked for. Keys and replicas outlive it.
class Placement {
 public:
  /// `name` is the writer's stream of the seed, from which buckets draw whom they borrow from.
  Placement(const SlotKeys& keys, const ReplicaMap& replicas, std::size_t nodes, std::vector<PlacedBucket> buckets,
            const PlacementPlan& plan, std::uint64_t seed, std::string_view name);

  PlacementKind kind() const { return plan_.kind; }
  std::int64_t hashed_keys() const { return plan_.hashed_buckets * keys_.slots(); }
  std::size_t buckets() const { return buckets_.size(); }

  /// Slots of the bucket that the node owns.
  std::int64_t owned(std::size_t bucket, int node) const { return shares_[place(bucket, node)].owned; }
  /// The owned slot, by its number among them, of the node's first row in the bucket; as many as owned: the first, a
  /// round later.
  std::int64_t start(std::size_t bucket, int node) const { return shares_[place(bucket, node)].start; }
  /// The bucket whose keys were hashed for this one: itself, unless borrowed.
  std::size_t source(std::size_t bucket) const { return sources_[bucket]; }
  /// Every slot's replica set, hashed again. Not of even placement.
  std::vector<int> sets(std::size_t bucket) const;
  OwnedSlots slots(std::size_t bucket, int node) const;

 private:
  struct Share {
    std::int64_t owned = 0;
    std::int64_t start = 0;
  };
  std::size_t place(std::size_t bucket, int node) const { return bucket * nodes_ + static_cast<std::size_t>(node); }
  void share_hashed();
  void share_evenly();
  void add_starts(std::size_t bucket, const std::vector<int>& sets);

  SlotKeys keys_;
  const ReplicaMap* replicas_;
  std::size_t nodes_;
  std::vector<PlacedBucket> buckets_;
  PlacementPlan plan_;
  std::vector<std::size_t> sources_{};  // by bucket
  std::vector<Share> shares_{};         // by bucket and node
};

}  // namespace windrow
