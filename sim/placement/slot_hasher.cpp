#include "sim/placement/slot_hasher.h"

#include <string_view>

#include "sim/stats/murmur3.h"

namespace windrow {

SlotHasher::SlotHasher(const SlotKeys& keys)
    : keys_(keys), length_(static_cast<std::size_t>(keys.keys->constant_length())) {}

void SlotHasher::write_all(std::int64_t bucket_label) {
  all_.reserve(length_ * static_cast<std::size_t>(keys_.slots()));
  for (std::int64_t shard = 0; shard < keys_.shards; ++shard) {
    for (std::int64_t entity = 0; entity < keys_.entities; ++entity)
      all_ += keys_.keys->key(entity, bucket_label, shard);
  }
  first_ = all_.substr(0, length_);
}

void SlotHasher::rename(std::int64_t bucket_label) {
  const std::string next = keys_.keys->key(0, bucket_label, 0);
  for (std::size_t at = 0; at < length_; ++at) {
    if (next[at] == first_[at]) continue;
    for (std::size_t place = at; place < all_.size(); place += length_) all_[place] = next[at];
  }
  first_ = next;
}

const std::vector<int>& SlotHasher::sets(std::int64_t bucket_label, const ReplicaMap& replicas) {
  if (length_ == 0) {
    sets_ = hashed_sets(keys_, bucket_label, replicas);
    return sets_;
  }
  if (all_.empty()) {
    write_all(bucket_label);
  } else {
    rename(bucket_label);
  }
  sets_.resize(static_cast<std::size_t>(keys_.slots()));
  const std::string_view all = all_;
  for (std::size_t slot = 0; slot < sets_.size(); ++slot)
    sets_[slot] = replicas.set_of(murmur3_token(all.substr(slot * length_, length_)));
  return sets_;
}

}  // namespace windrow
