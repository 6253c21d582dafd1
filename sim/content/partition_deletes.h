#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "sim/content/content.h"
#include "sim/content/deletion.h"

namespace windrow {

/// Deletions of partitions (PartitionUpdate.partitionLevelDeletion, Cassandra 5.0.9) whose rows are held as intervals,
/// or of what comes first in them (RangeTombstone): of each partition the newest, which covers no less than others.
class PartitionDeletes {
 public:
  PartitionDeletes() = default;
  /// Those in these contents; others than of interval-held partitions have no rows to meet. `space` outlives this.
  PartitionDeletes(const ContentSpace& space, std::span<const KeyedContent* const> contents);

  bool none() const { return deletes_.empty(); }
  /// A deleted partition of a bucket.
  struct OfSlot {
    int writer = 0;
    std::int64_t bucket = 0;
    std::int64_t slot = 0;
    Deletion deletion{};
    std::int64_t until_ms = INT64_MAX;  // rows of smaller clustering values; of a partition: all
  };
  /// Of a writer's buckets [first, last], by bucket and slot.
  std::span<const OfSlot> of(int writer, std::int64_t first_bucket, std::int64_t last_bucket) const;

  /// Takes from the cohorts what is not newer than the deletion of its partition (rule 3.4). What is left of a bucket
  /// is cut where other partitions are left of it.
  void shadow(std::vector<Cohort>& cohorts) const;
  /// Calls `each(deleted, first, last)` for the cohort's members [first, last) of one bucket among which those of the
  /// deleted partition, some at least, are not newer than its deletion.
  using Each = std::function<void(const OfSlot&, std::int64_t, std::int64_t)>;
  void each_covered(const Cohort& cohort, const Each& each) const;

 private:
  const ContentSpace* space_ = nullptr;
  std::vector<OfSlot> deletes_{};  // by writer, bucket, slot
};

/// The first member whose clustering value is not smaller.
std::int64_t members_below(const SubStream& sub, std::int64_t clustering_ms);

/// How many of the sub-stream's members [first, last), all of one bucket, are of this slot.
std::int64_t members_of_slot(const SubStream& sub, std::int64_t bucket, std::int64_t slot, std::int64_t first,
                             std::int64_t last);

/// Which of the writer's partitions of a bucket has this token; nothing: none.
std::optional<std::int64_t> slot_with(const ContentSpace& space, const Writer& writer, std::int64_t bucket,
                                      Token token);

/// The partition that a delete is for, as the writer of its rows has it, where they are held as intervals; else
/// unchanged. Told by its token.
void name_by_rows(const ContentSpace& space, KeyedPartition& deleted);

}  // namespace windrow
