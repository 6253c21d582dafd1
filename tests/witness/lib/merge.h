#pragma once

#include <functional>
#include <span>
#include <vector>

#include "tests/witness/lib/sstable.h"

namespace windrow::witness {

/// What may be purged by one compaction (rules 3.5 to 3.7).
struct PurgeRule {
  Seconds now_s = 0;
  Seconds gc_before_s = 0;
  bool never = false;  // only_purge_repaired_tombstones
  /// Minimum timestamp of what else may hold the partition; no_timestamp if nothing does. Asked once per partition.
  std::function<Micros(const Key&)> oldest_elsewhere{};
};

/// Merges the inputs partition by partition (rule 3.4), then purges (rule 3.6). Empty partitions are left out.
std::vector<Partition> merge_and_purge(std::span<const std::shared_ptr<const SSTable>> inputs, const PurgeRule& rule);

}  // namespace windrow::witness
