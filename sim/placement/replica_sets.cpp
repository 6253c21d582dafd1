#include "sim/placement/replica_sets.h"

#include <algorithm>

#include "sim/base/arithmetic.h"
#include "sim/stats/murmur3.h"
#include "sim/stats/ring_share.h"

namespace windrow {

std::vector<int> hashed_sets(const SlotKeys& keys, std::int64_t bucket_label, const ReplicaMap& replicas) {
  std::vector<int> sets;
  sets.reserve(static_cast<std::size_t>(keys.slots()));
  for (std::int64_t shard = 0; shard < keys.shards; ++shard) {
    for (std::int64_t entity = 0; entity < keys.entities; ++entity) {
      sets.push_back(replicas.set_of(murmur3_token(keys.keys->key(entity, bucket_label, shard))));
    }
  }
  return sets;
}

std::vector<std::int64_t> even_slots_by_set(std::int64_t slots, const ReplicaMap& replicas) {
  std::vector<Int128> tokens(replicas.sets(), 0);
  Int128 all = 0;
  for (std::size_t range = 0; range < replicas.ranges(); ++range) {
    Int128 count = tokens_between(replicas.begin_of(range), replicas.end_of(range));
    if (count == 0) count = Int128{1} << 64;  // the one range of a ring of one token
    tokens[static_cast<std::size_t>(replicas.set_of_range(range))] += count;
    all += count;
  }
  std::vector<std::int64_t> by_set;
  Int128 passed = 0;
  std::int64_t given = 0;
  for (const Int128 count : tokens) {
    passed += count;
    // Halves of 2^64 keep the product within 128 bits for slots below 2^62.
    const auto until = static_cast<std::int64_t>(passed * slots / all);
    by_set.push_back(until - given);
    given = until;
  }
  return by_set;
}

std::vector<std::int64_t> owned_by_node(const std::vector<std::int64_t>& slots_by_set, const ReplicaMap& replicas,
                                        std::size_t nodes) {
  std::vector<std::int64_t> owned(nodes, 0);
  for (std::size_t set = 0; set < slots_by_set.size(); ++set) {
    for (const int node : replicas.set(static_cast<int>(set)))
      owned[static_cast<std::size_t>(node)] += slots_by_set[set];
  }
  return owned;
}

OwnedSlots slots_of_node(const std::vector<int>& set_of_slot, int node, const ReplicaMap& replicas) {
  std::vector<bool> holds(replicas.sets(), false);
  for (std::size_t set = 0; set < holds.size(); ++set) {
    holds[set] = std::ranges::binary_search(replicas.set(static_cast<int>(set)), node);
  }
  std::vector<std::int32_t> owned;
  for (std::size_t slot = 0; slot < set_of_slot.size(); ++slot) {
    if (holds[static_cast<std::size_t>(set_of_slot[slot])]) owned.push_back(static_cast<std::int32_t>(slot));
  }
  return OwnedSlots::listed(static_cast<std::int64_t>(set_of_slot.size()), std::move(owned));
}

}  // namespace windrow
