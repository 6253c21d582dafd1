#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sim/strategy/overlap_sets.h"
#include "sim/strategy/sstable_view.h"

namespace windrow {

/// In which order a level's buckets hold their files (UnifiedCompactionStrategy.Bucket, Cassandra 5.0.9): newest first
/// by maximum timestamp; files of one are told apart by how the engine collected them.
class BucketOrder {
 public:
  /// All files of the level by first token, and their first and last tokens; both outlive this object.
  BucketOrder(std::span<const SSTableView* const> files, std::span<const std::pair<Token, Token>> spans)
      : files_(files), spans_(spans) {}

  /// Places of the bucket's files. `sets`: all overlap sets of the level.
  std::vector<std::uint32_t> newest_first(std::span<const OverlapSet> sets, const OverlapBucket& bucket);

 private:
  std::span<const SSTableView* const> files_;
  std::span<const std::pair<Token, Token>> spans_;
  std::vector<OverlapSet> collected_{};  // once somebody has asked
};

}  // namespace windrow
