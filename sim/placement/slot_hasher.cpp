#include "sim/placement/slot_hasher.h"

#include <cstddef>
#include <string_view>

#include "sim/stats/murmur3.h"

namespace windrow {

const std::vector<int>& SlotHasher::sets(std::int64_t bucket_label, const ReplicaMap& replicas) {
  std::size_t slot = 0;
  keys_.each(bucket_label, [&](std::string_view key) {
    if (slot == 0) sets_.resize(static_cast<std::size_t>(slots_));  // behind the keys, which stay: less memory at most
    sets_[slot++] = replicas.set_of(murmur3_token(key));
  });
  return sets_;
}

}  // namespace windrow
