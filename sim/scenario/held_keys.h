#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "sim/scenario/cluster_ring.h"
#include "sim/workload/writer.h"

namespace windrow {

/// What a node holds of the ring (ReplicaMap): which keys, and which share of all. One thread's.
class HeldKeys {
 public:
  /// `node`: from 0, among the ring's places.
  HeldKeys(const ClusterRing& ring, int node);

  bool holds(const std::string& key) const;
  /// By entity of the writer: whether its partition of this bucket's label and this shard is held, written or not. Kept
  /// for who asks again, until the next call.
  const std::vector<char>& of(const Writer& writer, std::int64_t label, std::int64_t shard);
  double share() const { return share_; }

 private:
  std::shared_ptr<const ReplicaMap> replicas_{};
  int node_ = 0;
  double share_ = 0;
  using Partitions = std::tuple<const PartitionKeys*, std::int64_t, std::int64_t, std::int64_t>;
  std::map<Partitions, std::vector<char>> kept_{};
  std::int64_t kept_keys_ = 0;
};

}  // namespace windrow
