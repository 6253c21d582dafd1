#include "sim/scenario/held_keys.h"

#include <algorithm>

#include "sim/stats/murmur3.h"

namespace windrow {

HeldKeys::HeldKeys(const ClusterRing& ring, int node)
    : replicas_(std::make_shared<const ReplicaMap>(ring.tokens, ring.places, ring.replication)), node_(node) {
  for (std::size_t range = 0; range < replicas_->ranges(); ++range) {
    if (std::ranges::find(replicas_->replicas(range), node) != replicas_->replicas(range).end())
      share_ += replicas_->share_of(range);
  }
}

bool HeldKeys::holds(const std::string& key) const {
  return std::ranges::binary_search(replicas_->set(replicas_->set_of(murmur3_token(key))), node_);
}

const std::vector<char>& HeldKeys::of(const Writer& writer, std::int64_t label, std::int64_t shard) {
  constexpr std::int64_t most_kept = 4'000'000;
  const Partitions partitions{writer.keys.get(), writer.entities, label, shard};
  const auto found = kept_.find(partitions);
  if (found != kept_.end()) return found->second;
  if (kept_keys_ > most_kept) {
    kept_.clear();
    kept_keys_ = 0;
  }
  kept_keys_ += writer.entities;
  std::vector<char>& held = kept_[partitions];
  for (std::int64_t entity = 0; entity < writer.entities; ++entity)
    held.push_back(holds(writer.keys->key(entity, label, shard)) ? 1 : 0);
  return held;
}

}  // namespace windrow
