#pragma once

#include <vector>

#include "sim/strategy/overlap_sets.h"
#include "sim/strategy/strategy.h"
#include "sim/strategy/unified_order.h"

namespace windrow {

/// One level in full (rules 9.5 to 9.7), as recordings show it.
struct UnifiedLevel {
  struct Bucket {
    std::size_t overlap = 0;
    std::vector<std::int64_t> files{};  // newest maximum timestamp first
  };
  std::size_t index = 0;
  UnifiedScaling scaling{};
  double max_density = 0;
  std::int64_t overlap = -1;          // of the largest set; -1: no file
  std::vector<std::int64_t> files{};  // by ascending density
  std::vector<const SSTableView*> by_first_token{};
  std::vector<Bucket> buckets{};  // in token order; none below the threshold
};

/// Levels from 0 to the last one that holds a file. `files` in live-set order.
std::vector<UnifiedLevel> unified_levels(const UnifiedOptions& options, std::span<const SSTableView* const> files,
                                         Bytes flush_size_bytes, double local_coverage);

/// Controller.getFlushSizeBytes (rule 9.4): the cached flush size after it was asked for.
Bytes unified_flush_size(const UnifiedOptions& options, Bytes cached_bytes, double flush_average_bytes);

/// Rule 9.12 (Controller.getNumShards): into how many shards data of this density is written; NaN before the first
/// flush.
std::int64_t shard_count(const UnifiedOptions& options, double local_density_bytes);

}  // namespace windrow
