#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/scenario/scenario.h"

namespace windrow {

/// How many replicas answer a request for one partition (ConsistencyLevel.blockFor, Cassandra 5.0.9). `own`: the
/// coordinator's data centre.
int replicas_waited_for(Consistency consistency, const std::vector<DataCenter>& data_centers, std::size_t own = 0);

/// How many nodes the coordinator of a request reaches for all of its partitions (storage rules 4.1, 4.4). Every node
/// coordinates as often as another. It asks as many replicas of each partition as the level waits for, those of its own
/// data centre first, each of them as often as another; LOCAL levels ask no others, EACH_QUORUM a quorum of every data
/// centre. Who holds a partition follows from the ring: the share of it that each replica set has.
class ReadFanOut {
 public:
  ReadFanOut(const Scenario& scenario, Consistency consistency);

  /// Different nodes that requests for so many partitions reach, in the mean; the coordinator, where it answers, too.
  double nodes(std::int64_t partitions) const;

 private:
  /// Coordinators of one data centre.
  struct Coordinators {
    double share = 0;               // of all
    std::vector<double> reached{};  // of a node: how likely one partition's read reaches it
  };
  std::vector<Coordinators> of_center_{};
};

}  // namespace windrow
