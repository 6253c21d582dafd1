#pragma once

#include <vector>

#include "sim/cost/passes.h"
#include "sim/scenario/scenario.h"

namespace windrow {

/// What the compactors of a node are asked for and cannot do in time (`compaction_throughput`, `merge_speed`): it
/// waits, piece by piece of the run. Where the disk is full (`disk`) none finds room for what it would write.
class Backlog {
 public:
  Backlog(const NodeSettings& node, std::size_t tables);

  /// A table's flushes in a piece, and what its strategy does with each if it keeps up.
  struct Asked {
    double flushes = 0;
    double flush_bytes = 0;   // on disk
    double flushes_live = 0;  // so many flushes' rows lie there
    Passes passes{};
  };
  /// Takes the next piece of so many seconds; of each table what then comes of its flushes.
  std::vector<Passes> next(const std::vector<Asked>& asked, double seconds);

 private:
  struct Waiting {
    double bytes = 0;  // to be read
    double flushes = 0;
  };
  double compactors_ = 1;
  double bytes_per_s_ = 0;  // infinite: no limit
  double room_bytes_ = 0;   // for all tables; infinite: no limit
  std::vector<Waiting> waiting_{};
};

}  // namespace windrow
