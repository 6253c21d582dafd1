#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/scenario/cluster_ring.h"
#include "sim/scenario/scenario.h"

namespace windrow {

/// How many replicas answer a request for one partition (ConsistencyLevel.blockFor, Cassandra 5.0.9). `own`: the
/// coordinator's data centre.
int replicas_waited_for(Consistency consistency, const std::vector<DataCenter>& data_centers, std::size_t own = 0);

/// How many nodes the coordinator of a request reaches for all of its partitions (storage rules 4.1, 4.4). Every node
/// coordinates as often as another. Of each partition it asks as many replicas as the level waits for: itself, if it is
/// one, then those of its own data centre in the order of the ring, then others; LOCAL levels ask no others,
/// EACH_QUORUM a quorum of every data centre. Who holds a partition follows from the ring: the share of it that each
/// range has. Racks are not preferred. Nodes that are said to be alike hold as much as another, and bear the rest
/// evenly.
class ReadFanOut {
 public:
  ReadFanOut(const Scenario& scenario, Consistency consistency);

  /// Different nodes that requests for so many partitions reach, in the mean; the coordinator, where it answers, too.
  double nodes(std::int64_t partitions) const;

 private:
  struct Other {
    std::size_t node = 0;
    double more = 0;  // than usual; below 0: less
  };
  /// Coordinators of one data centre.
  struct Coordinators {
    double share = 0;                          // of all
    std::vector<double> reached{};             // of a node: how likely the read of a partition reaches it
    std::vector<std::vector<Other>> differ{};  // of a coordinator: where that is something else, as it asks itself
  };
  void follow_ring(const ClusterRing& ring, const std::vector<DataCenter>& centers, Consistency consistency);
  void follow_shares(const std::vector<DataCenter>& centers, Consistency consistency);

  std::vector<Coordinators> of_center_{};
};

}  // namespace windrow
