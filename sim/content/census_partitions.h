#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/units.h"
#include "sim/content/census_spread.h"
#include "sim/content/content.h"
#include "sim/stats/estimated_histogram.h"
#include "sim/stats/rate_spread.h"

namespace windrow {

/// One partition among the largest; partition key by number: names are the reports' business.
struct LargestPartition {
  int writer = 0;
  std::int64_t bucket = 0;
  std::int64_t slot = 0;
  Rows rows = 0;
  std::int64_t cells = 0;
  Bytes bytes = 0;
  double pace = 1;  // how fast its entity writes, by the mean of its writer's
};

/// How the entities of a table's writers differ, by Writer::spec; null, or none: they do not.
using RateSpreads = std::span<const RateSpread* const>;

/// Sizes of partitions, whatever number of files they lie in.
struct PartitionCensus {
  std::int64_t partitions = 0;
  Spread bytes{};
  Spread rows{};
  Spread cells{};
  EstimatedHistogram bytes_histogram{EstimatedHistogram::partition_size_offsets};
  EstimatedHistogram rows_histogram{EstimatedHistogram::cell_count_offsets};
  EstimatedHistogram cells_histogram{EstimatedHistogram::cell_count_offsets};
  std::vector<LargestPartition> largest{};  // by bytes, then writer, bucket, slot
  std::int64_t steps = 0;                   // work done: buckets, and partitions that had to be looked at one by one
};

/// The partitions of several contents together, all files of a table and its memtable; those of which a delete alone is
/// left are none. Bytes are logical: uncompressed,
/// as an SSTable writes them that has nothing but the bucket of the partition's writer, whatever files the rows lie in.
/// Work follows buckets × writers, not partitions: entities of a writer take turns, so those that share a bucket differ
/// by a row at most; where their rates differ, as `rates` says, a class's rows are theirs by their shares. `may_share`:
/// a row may lie in several contents, and counts once.
PartitionCensus census_of_partitions(const ContentSpace& space, std::span<const Content* const> contents,
                                     std::size_t largest = 20, RateSpreads rates = {}, bool may_share = false);

/// The partitions of one file, each row as that file writes it.
PartitionCensus census_of_file(const ContentSpace& space, const Content& content, RateSpreads rates = {});

}  // namespace windrow
