#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/workload/writer.h"

namespace windrow {

/// The keys of all slots of one bucket after the other. Where all are equally long they are written once, and from
/// bucket to bucket only the bytes that name it: for that a bucket's name has the same place and bytes in the keys of
/// all entities and shards (PartitionKeys of constant length). `keys` outlives it.
class BucketKeys {
 public:
  BucketKeys(const PartitionKeys& keys, std::int64_t entities, std::int64_t shards);

  /// Calls `each(key)` for the slots of the bucket of this label, in their order.
  template <typename Each>
  void each(std::int64_t bucket_label, const Each& each) {
    if (length_ == 0) {
      for (std::int64_t shard = 0; shard < shards_; ++shard) {
        for (std::int64_t entity = 0; entity < entities_; ++entity) each(keys_->key(entity, bucket_label, shard));
      }
      return;
    }
    write(bucket_label);
    const std::string_view all = all_;
    for (std::size_t place = 0; place < all.size(); place += length_) each(all.substr(place, length_));
  }

 private:
  void write(std::int64_t bucket_label);

  const PartitionKeys* keys_ = nullptr;
  std::int64_t entities_ = 1;
  std::int64_t shards_ = 1;
  std::size_t length_ = 0;  // of every key; 0: they differ, nothing is kept
  std::string first_{};     // key of slot 0 in the bucket that is written
  std::string all_{};       // keys of all slots, one after the other
};

}  // namespace windrow
