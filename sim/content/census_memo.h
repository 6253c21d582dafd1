#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/content/census_blocks.h"
#include "sim/content/census_collector.h"
#include "sim/content/census_partitions.h"
#include "sim/content/census_slots.h"

namespace windrow {

/// What one census of a table knows of the next: the mean row of each bucket of which no row came, went or changed its
/// state, and what its partitions are. Most buckets are closed.
class CensusMemo {
 public:
  /// Of censuses that find so much.
  explicit CensusMemo(CensusCollector::Finds finds = CensusCollector::Finds::all) : finds_(finds) {}
  CensusCollector::Finds finds() const { return finds_; }

  struct Counted {
    std::span<const MeasuredPartitions> partitions{};
    std::int64_t steps = 0;
  };

  /// A new census: buckets are asked for in the same order as in the one before, by writer, then bucket.
  void begin();
  /// Of buckets together, which are not asked for one by one while their rows stay.
  BlockMemo& blocks() { return blocks_; }
  /// Fills in `row_bytes` of the bucket's pieces if they are those of the census before.
  bool recall(int writer, std::span<BucketPiece> pieces);
  void keep(int writer, std::span<const BucketPiece> pieces);
  /// What keep_counted was told of a bucket in the census before; null: nothing. Only what was kept of a bucket whose
  /// pieces are whole cohorts' holds for the same pieces again. Asked for in the same order.
  std::optional<Counted> counted(int writer, std::int64_t bucket);
  void keep_counted(int writer, std::int64_t bucket, const Counted& counted);

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
  struct KnownBucket {
    int writer = 0;
    std::int64_t bucket = 0;
    std::size_t first = 0;  // of its partitions
    std::size_t end = 0;
    std::int64_t steps = 0;
  };
  struct Buckets {
    std::vector<KnownBucket> all{};
    std::vector<MeasuredPartitions> partitions{};
  };

  CensusCollector::Finds finds_;
  std::vector<Known> before_{};
  std::vector<Known> now_{};
  std::size_t next_ = 0;  // of `before_`
  Buckets counted_before_{};
  Buckets counted_now_{};
  std::size_t next_counted_ = 0;
  BlockMemo blocks_{};
};

/// census_of_partitions() of a table that is looked at again and again: the same numbers, as far as the memo is for
/// them, sooner.
PartitionCensus census_of_partitions(const ContentSpace& space, std::span<const Content* const> contents,
                                     std::size_t largest, RateSpreads rates, CensusMemo& memo, bool may_share = false);

}  // namespace windrow
