#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/content/content.h"

namespace windrow {

/// Members [first, last) of a cohort: those in one bucket.
struct BucketPiece {
  std::int64_t bucket = 0;
  const Cohort* cohort = nullptr;
  std::int64_t first = 0;
  std::int64_t last = 0;
  double row_bytes = 0;
};

/// Partitions of one writer and bucket that hold the same numbers of rows. The i-th has slot (first_slot + i · step)
/// mod slots.
struct AlikePartitions {
  std::int64_t partitions = 0;
  std::int64_t first_slot = 0;
  std::int64_t step = 1;
  Rows rows = 0;
  std::int64_t cells = 0;
  double row_bytes = 0;
};

/// How the rows of a writer's buckets divide among its partitions.
class SlotShares {
 public:
  SlotShares(const ContentSpace& space, const Writer& writer);

  /// Appends the partitions that a bucket's pieces make, those without rows left out. Returns how many steps it took.
  std::int64_t divide(std::span<const BucketPiece> pieces, std::vector<AlikePartitions>& out) const;

 private:
  /// Slots with one remainder modulo `classes_`: rows are spread evenly over them.
  void divide_class(std::int64_t remainder, std::span<const BucketPiece> pieces,
                    std::vector<AlikePartitions>& out) const;
  std::int64_t members_of_class(const SubStream& sub, const BucketPiece& piece, std::int64_t remainder) const;
  /// On a lattice, where cohorts hold only some tokens: in each interval of tokens rows are spread evenly over the
  /// partitions that have some. Intervals between which partitions are divided, as their writer's pace changes, are
  /// one.
  std::int64_t divide_by_tokens(std::span<const BucketPiece> pieces, std::vector<AlikePartitions>& out) const;
  /// Every slot for itself: where cohorts hold only some of the partitions.
  std::int64_t divide_singly(std::span<const BucketPiece> pieces, std::vector<AlikePartitions>& out) const;
  /// Members of a piece on every slot.
  std::vector<std::int64_t> members_by_slot(const SubStream& sub, const BucketPiece& piece) const;

  const ContentSpace& space_;
  const Writer& writer_;
  std::int64_t classes_ = 1;  // remainders of slots that the sub-streams tell apart
};

}  // namespace windrow
