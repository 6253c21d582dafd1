#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/content/content.h"

namespace windrow {

/// Members [first, last) of a cohort: those in one bucket, or in several that are held alike.
struct BucketPiece {
  std::int64_t bucket = 0;
  const Cohort* cohort = nullptr;
  std::int64_t first = 0;
  std::int64_t last = 0;
  double row_bytes = 0;
  std::int64_t buckets = 1;  // from `bucket` on
  std::int64_t last_bucket() const { return bucket + buckets - 1; }
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

/// Of a bucket's pieces: of more, a part of the tokens is a part of the rows, spread over all partitions.
constexpr std::ptrdiff_t pieces_to_look_at = 1'000;

/// How the rows of a writer's buckets divide among its partitions.
class SlotShares {
 public:
  SlotShares(const ContentSpace& space, const Writer& writer);

  /// Appends the partitions that a bucket's pieces make, or those of the same buckets, those without rows left out.
  /// Returns how many steps it took.
  std::int64_t divide(std::span<const BucketPiece> pieces, std::vector<AlikePartitions>& out) const;

 private:
  /// Partitions that share rows evenly.
  struct EvenRows {
    std::int64_t partitions = 0;
    std::int64_t events = 0;
    double bytes = 0;
    double cells = 0;
  };

  /// Slots with one remainder modulo `classes_`: rows are spread evenly over them.
  void divide_class(std::int64_t remainder, std::span<const BucketPiece> pieces,
                    std::vector<AlikePartitions>& out) const;
  std::int64_t members_of_class(const SubStream& sub, const BucketPiece& piece, std::int64_t remainder) const;
  /// On a lattice, where cohorts hold only some tokens: in each interval of tokens rows are spread evenly over the
  /// partitions that have some. Intervals between which partitions are divided, as their writer's pace changes, are
  /// one.
  std::int64_t divide_by_tokens(std::span<const BucketPiece> pieces, std::vector<AlikePartitions>& out) const;
  /// The same of one piece without slots.
  std::int64_t divide_alone(const BucketPiece& piece, std::vector<AlikePartitions>& out) const;
  void add_rows(const BucketPiece& piece, std::int64_t members, EvenRows& group) const;
  /// `before` counts partitions put before: names for the largest.
  void put_evenly(const EvenRows& group, std::int64_t& before, std::vector<AlikePartitions>& out) const;
  /// Every slot for itself: where cohorts hold only some of the partitions.
  std::int64_t divide_singly(std::span<const BucketPiece> pieces, std::vector<AlikePartitions>& out) const;
  /// Members of a piece on every slot.
  std::vector<std::int64_t> members_by_slot(const SubStream& sub, const BucketPiece& piece) const;

  const ContentSpace& space_;
  const Writer& writer_;
  std::int64_t classes_ = 1;  // remainders of slots that the sub-streams tell apart
};

}  // namespace windrow
