#pragma once

#include <cstdint>
#include <vector>

#include "sim/placement/owned_slots.h"
#include "sim/ring/replica_map.h"
#include "sim/workload/writer.h"

namespace windrow {

/// A writer's slots: entities × shards; slot = shard × entities + entity.
struct SlotKeys {
  const PartitionKeys* keys = nullptr;
  std::int64_t entities = 1;
  std::int64_t shards = 1;
  std::int64_t slots() const { return entities * shards; }
};

/// The replica set of every slot's partition in the bucket of this label: each key is hashed, as the engine does.
std::vector<int> hashed_sets(const SlotKeys& keys, std::int64_t bucket_label, const ReplicaMap& replicas);

/// How many of `slots` partitions each replica set has, if they lie evenly on the ring: its share of all tokens,
/// rounded cumulatively, so that all are there.
std::vector<std::int64_t> even_slots_by_set(std::int64_t slots, const ReplicaMap& replicas);

/// By node: how many of the slots it owns, given how many each replica set has.
std::vector<std::int64_t> owned_by_node(const std::vector<std::int64_t>& slots_by_set, const ReplicaMap& replicas,
                                        std::size_t nodes);

/// The slots that a node owns, given every slot's replica set.
OwnedSlots slots_of_node(const std::vector<int>& set_of_slot, int node, const ReplicaMap& replicas);

}  // namespace windrow
