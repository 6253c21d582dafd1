#include "sim/placement/slot_hasher.h"

#include <string_view>

#include "sim/stats/murmur3.h"

namespace windrow {

const std::vector<int>& SlotHasher::sets(std::int64_t bucket_label, const ReplicaMap& replicas) {
  sets_.clear();
  sets_.reserve(static_cast<std::size_t>(slots_));
  keys_.each(bucket_label, [&](std::string_view key) { sets_.push_back(replicas.set_of(murmur3_token(key))); });
  return sets_;
}

}  // namespace windrow
