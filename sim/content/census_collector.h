#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/content/census_paces.h"
#include "sim/content/census_slots.h"
#include "sim/content/census_spread.h"
#include "sim/content/partition_census.h"
#include "sim/stats/rate_spread.h"
#include "sim/workload/writer.h"

namespace windrow {

/// Partitions of a bucket that are alike, and the bytes of each.
struct MeasuredPartitions {
  AlikePartitions alike{};
  Bytes bytes = 0;
};

/// Adds up partitions as they come, and keeps the largest.
class CensusCollector {
 public:
  /// What is found: of `added` histograms and how many they are alone, on top of what the census has; of `maxima` how
  /// many they are, the largest, and what any has at most, so that partitions need not be told apart by their sizes.
  enum class Finds { all, added, maxima };
  CensusCollector(PartitionCensus& census, std::size_t largest, Finds finds = Finds::all)
      : census_(census), keep_(largest), finds_(finds) {}

  void add(int writer, std::int64_t bucket, std::int64_t slots, const MeasuredPartitions& partitions) {
    count(partitions.alike.partitions, partitions.alike.rows, partitions.alike.cells, partitions.bytes);
    offer(writer, bucket, slots, partitions);
  }
  /// Of a writer whose entities differ as `spread` says, by `paces` in this bucket.
  void add_paced(const Writer& writer, std::int64_t bucket, const PacedPartitions& alike, const RateSpread& spread,
                 std::vector<double> paces) {
    keep_large_ones(writer, bucket, alike, spread, paces, census_.largest, keep_);
    paced_.add(alike, spread, std::move(paces));
  }

  /// The two halves of `add`: their sizes, and those that are among the largest.
  void count(std::int64_t partitions, Rows rows, std::int64_t cells, Bytes bytes);
  void offer(int writer, std::int64_t bucket, std::int64_t slots, const MeasuredPartitions& partitions);
  void add_sizes(const PacedBuckets& buckets) { paced_.add(buckets); }
  void offer(const LargestPartition& partition) { keep_if_large(census_.largest, keep_, partition); }
  std::size_t largest() const { return keep_; }
  Finds finds() const { return finds_; }

  /// Nothing comes after it.
  void finish();

 private:
  PartitionCensus& census_;
  std::size_t keep_ = 0;
  Finds finds_ = Finds::all;
  WeightedValues bytes_{};
  WeightedValues rows_{};
  WeightedValues cells_{};
  PacedBuckets paced_{};
};

}  // namespace windrow
