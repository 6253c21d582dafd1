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

}  // namespace windrow
