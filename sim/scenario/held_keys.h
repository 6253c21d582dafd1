#pragma once

#include <memory>
#include <string>

#include "sim/scenario/cluster_ring.h"

namespace windrow {

/// What a node holds of the ring (ReplicaMap): which keys, and which share of all.
class HeldKeys {
 public:
  /// `node`: from 0, among the ring's places.
  HeldKeys(const ClusterRing& ring, int node);

  bool holds(const std::string& key) const;
  double share() const { return share_; }

 private:
  std::shared_ptr<const ReplicaMap> replicas_{};
  int node_ = 0;
  double share_ = 0;
};

}  // namespace windrow
