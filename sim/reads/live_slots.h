#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "sim/base/units.h"
#include "sim/reads/slot_lane.h"
#include "sim/workload/table_workload.h"

namespace windrow {

/// Which rows of a bucket are counted, and when.
struct LiveTime {
  Micros now_us = 0;  // what arrives at this instant is not there yet
  Seconds default_ttl_s = 0;
  std::int64_t from_ms = std::numeric_limits<std::int64_t>::min();  // events [from, to)
  std::int64_t to_ms = std::numeric_limits<std::int64_t>::max();
};

/// How many rows of each partition of a bucket can be read at a time, whichever nodes hold them: by arithmetic on what
/// the writer's sub-streams bring. Rows that are deleted one by one are left out; deletes of cells, partitions and
/// ranges, and rows that replace others, are not looked at.
class LiveSlots {
 public:
  /// What it is given outlives it.
  LiveSlots(const TableWorkload& workload, const Writer& writer, std::int64_t bucket, const LiveTime& time);

  /// Slots from which on the number may be another.
  const std::vector<std::int64_t>& borders() const { return borders_; }
  Rows of(std::int64_t slot) const;

 private:
  /// Members [from, to) of a sub-stream.
  struct Stretch {
    SubStream::Turn turn;
    std::int64_t from = 0;
    std::int64_t to = 0;
  };
  void add(const SubStream& sub, std::int64_t bucket, std::int64_t from, std::int64_t to);

  std::int64_t rows_each_ = 1;
  std::vector<Stretch> stretches_{};
  std::vector<std::int64_t> listed_{};  // by slot, of members that do not go around in turn; empty: none
  std::vector<std::int64_t> borders_{};
};

}  // namespace windrow
