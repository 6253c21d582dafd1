#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/placement/replica_sets.h"
#include "sim/ring/replica_map.h"

namespace windrow {

/// hashed_sets of one bucket after the other. Where all keys are equally long they are written once, and from bucket to
/// bucket only the bytes that name it: for that a bucket's name has the same place and bytes in the keys of all
/// entities and shards (PartitionKeys of constant length). `keys` outlives it.
class SlotHasher {
 public:
  explicit SlotHasher(const SlotKeys& keys);

  /// The replica set of every slot's partition in the bucket of this label; until the next call.
  const std::vector<int>& sets(std::int64_t bucket_label, const ReplicaMap& replicas);

 private:
  void write_all(std::int64_t bucket_label);
  void rename(std::int64_t bucket_label);

  SlotKeys keys_;
  std::size_t length_ = 0;  // of every key; 0: they differ, nothing is kept
  std::string first_{};     // key of slot 0 in the bucket that is written
  std::string all_{};       // keys of all slots, one after the other
  std::vector<int> sets_{};
};

}  // namespace windrow
