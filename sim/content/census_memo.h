#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/content/census_partitions.h"
#include "sim/content/census_slots.h"

namespace windrow {

/// What one census of a table knows of the next: the mean row of each bucket of which no row came, went or changed its
/// state. Most buckets are closed, and values of many sizes are long to add up.
class CensusMemo {
 public:
  /// A new census: buckets are asked for in the same order as in the one before, by writer, then bucket.
  void begin();
  /// Fills in `row_bytes` of the bucket's pieces if they are those of the census before.
  bool recall(int writer, std::span<BucketPiece> pieces);
  void keep(int writer, std::span<const BucketPiece> pieces);

 private:
  struct Known {
    int writer = 0;
    std::int64_t bucket = 0;
    std::int32_t sub_stream = 0;
    std::int32_t ttl_s = 0;
    RowState state = RowState::live;
    std::int64_t first = 0;
    std::int64_t last = 0;
    double row_bytes = 0;
    bool is_of(const BucketPiece& piece) const;
  };
  std::vector<Known> before_{};
  std::vector<Known> now_{};
  std::size_t next_ = 0;  // of `before_`
};

/// census_of_partitions() of a table that is looked at again and again: the same numbers, sooner.
PartitionCensus census_of_partitions(const ContentSpace& space, std::span<const Content* const> contents,
                                     std::size_t largest, RateSpreads rates, CensusMemo& memo, bool may_share = false);

}  // namespace windrow
