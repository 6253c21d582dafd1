#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/units.h"
#include "sim/content/census_spread.h"
#include "sim/stats/estimated_histogram.h"

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

/// Puts it among the `most` largest, in their order: by bytes, then writer, bucket, slot. False if it is none of them.
bool keep_if_large(std::vector<LargestPartition>& largest, std::size_t most, const LargestPartition& partition);

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

}  // namespace windrow
