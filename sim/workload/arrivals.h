#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/workload/table_workload.h"

namespace windrow {

/// What of a table's workload arrives at one node: all that its streams send, but for what comes while the node is
/// away. Of an interval-held sub-stream that is all members but some intervals. Times in units of the writers.
class Arrivals {
 public:
  using Intervals = std::vector<std::pair<std::int64_t, std::int64_t>>;  // [first, second), ascending, disjoint

  explicit Arrivals(const TableWorkload& workload);

  /// Nothing arrives from here on, or again something. In turn, in the order of time.
  void stop(std::int64_t time);
  void resume(std::int64_t time);

  /// True if what comes at this time is missed.
  bool missed(std::int64_t time) const;
  /// Members of a sub-stream that do not arrive.
  const Intervals& lost(int s) const { return lost_[static_cast<std::size_t>(s)]; }
  /// Members that arrive before `time`; and the member of which so many come before.
  std::int64_t count_before(int s, std::int64_t time) const;
  std::int64_t member(int s, std::int64_t count) const;

 private:
  void find_lost();

  const TableWorkload* workload_ = nullptr;
  Intervals away_{};
  std::vector<Intervals> lost_{};  // by sub-stream
};

}  // namespace windrow
