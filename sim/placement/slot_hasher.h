#pragma once

#include <cstdint>
#include <vector>

#include "sim/placement/replica_sets.h"
#include "sim/ring/replica_map.h"
#include "sim/workload/bucket_keys.h"

namespace windrow {

/// hashed_sets of one bucket after the other, without a key being written anew for each (BucketKeys).
class SlotHasher {
 public:
  explicit SlotHasher(const SlotKeys& keys) : slots_(keys.slots()), keys_(*keys.keys, keys.entities, keys.shards) {}

  /// The replica set of every slot's partition in the bucket of this label; until the next call.
  const std::vector<int>& sets(std::int64_t bucket_label, const ReplicaMap& replicas);

 private:
  std::int64_t slots_ = 0;
  BucketKeys keys_;
  std::vector<int> sets_{};
};

}  // namespace windrow
