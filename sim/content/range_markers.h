#pragma once

#include <cstdint>
#include <limits>

#include "sim/content/content.h"

namespace windrow {

/// The markers of a partition's deleted ranges, in the order in which they lie on disk (RangeTombstoneBoundMarker,
/// RangeTombstoneBoundaryMarker, Cassandra 5.0.9): where two ranges touch, one marker closes the first and opens the
/// next. The partition outlives this.
class RangeMarkers {
 public:
  RangeMarkers(const ContentSpace& space, const KeyedPartition& partition)
      : next_(partition.ranges.begin()),
        end_(partition.ranges.end()),
        bound_{.values = 1, .clustering = {.size = space.clustering_bytes()}} {}

  /// Calls `each(marker)` for those up to a clustering value; a bound at the value of a row lies before the row.
  template <typename Each>
  void until(std::int64_t clustering, const Each& each) {
    while (true) {
      StoredMarker marker = bound_;  // a bound has all clustering values of the table
      const bool closes = open_ != nullptr;
      const bool opens = next_ != end_ && (closes ? next_->from == open_->to : next_->from <= clustering);
      if (closes ? open_->to > clustering : !opens) return;
      marker.closes = closes;
      marker.opens = opens;
      if (closes) marker.closed = open_->deletion.stored();
      if (opens) marker.opened = next_->deletion.stored();
      open_ = opens ? &*next_++ : nullptr;
      each(marker);
    }
  }
  template <typename Each>
  void all(const Each& each) {
    until(std::numeric_limits<std::int64_t>::max(), each);
  }

 private:
  std::vector<KeyedRange>::const_iterator next_;
  std::vector<KeyedRange>::const_iterator end_;
  const KeyedRange* open_ = nullptr;
  StoredMarker bound_;
};

}  // namespace windrow
