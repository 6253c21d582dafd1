#include "sim/workload/bucket_keys.h"

#include <utility>

namespace windrow {

BucketKeys::BucketKeys(const PartitionKeys& keys, std::int64_t entities, std::int64_t shards)
    : keys_(&keys), entities_(entities), shards_(shards), length_(static_cast<std::size_t>(keys.constant_length())) {}

void BucketKeys::write(std::int64_t bucket_label) {
  std::string next = keys_->key(0, bucket_label, 0);
  if (all_.empty()) {
    all_.reserve(length_ * static_cast<std::size_t>(entities_ * shards_));
    for (std::int64_t shard = 0; shard < shards_; ++shard) {
      for (std::int64_t entity = 0; entity < entities_; ++entity) all_ += keys_->key(entity, bucket_label, shard);
    }
  } else {
    for (std::size_t at = 0; at < length_; ++at) {
      if (next[at] == first_[at]) continue;
      for (std::size_t place = at; place < all_.size(); place += length_) all_[place] = next[at];
    }
  }
  first_ = std::move(next);
}

}  // namespace windrow
