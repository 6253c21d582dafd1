#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/strategy/file_order.h"
#include "sim/strategy/strategy.h"

namespace windrow {

/// The bucket that size-tiered compaction takes among some files, also inside a time window and inside level 0.
struct SizeTier {
  std::size_t begin = 0;                 // of the ascending files given; nothing taken if begin == end
  std::size_t end = 0;                   // after the cut at max_threshold
  std::int64_t estimated_remaining = 0;  // rule 6.8
  bool ties_matter = false;              // the cut separates equal sizes: their order decided
};

/// Rules 6.3, 6.5 and 6.8 (SizeTieredCompactionStrategy.getBuckets, mostInterestingBucket, Cassandra 5.0.9) with no
/// reads. `ascending`: the candidates by size, ties in candidate order.
SizeTier most_interesting_tier(const InOrder<FilePlace>& ascending, const SizeTieredOptions& options);

/// Ids of the files from place `begin` to the one before `end`, in their order.
std::vector<std::int64_t> ids_of(const InOrder<FilePlace>& files, std::size_t begin, std::size_t end);

}  // namespace windrow
