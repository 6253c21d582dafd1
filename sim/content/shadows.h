#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/base/units.h"
#include "sim/content/content.h"
#include "sim/content/first_ranges.h"
#include "sim/content/partition_deletes.h"

namespace windrow {

/// What the tombstones of some contents (all files of a table, and its memtable) take from reads, wherever the rows
/// lie: rows under one are on disk, and nobody reads them.
class Shadows {
 public:
  Shadows() = default;
  /// The contents must outlive this.
  Shadows(const ContentSpace& space, std::span<const Content* const> contents);

  /// True if a table has deletes that could shadow rows of another file.
  static bool possible(const TableWorkload& workload);
  bool none() const { return deleted_.empty() && tombstones_.empty() && of_partitions_.none(); }
  /// Deletions of partitions whose rows are held as intervals.
  const PartitionDeletes& of_partitions() const { return of_partitions_; }
  /// True if rows that are held one by one may lie under one of these.
  bool of_keyed() const { return !tombstones_.empty(); }

  /// Calls `each(deletion, rows)` for those of a cohort's rows, from member `from` on, that lie under a deletion of
  /// their partition, or of what is older in it, and are not deleted one by one; of the latter `first`, if given, tells
  /// the deletion that came first to them, else it is the last one.
  void each_covered(const Cohort& cohort, std::int64_t from, const FirstRanges* first,
                    const std::function<void(const Deletion&, Rows)>& each) const;
  double covered_rows(const Cohort& cohort, std::int64_t from) const;
  /// Of the members [from, to) of a sub-stream, how many are deleted one by one.
  std::int64_t deleted(int sub_stream, std::int64_t from, std::int64_t to) const;
  /// The strongest deletion that lies on a row: its partition's, a range's or its own, in whatever content.
  std::optional<Deletion> on(Token token, std::int64_t clustering) const;
  /// True if nothing of the row is newer than that.
  bool covers(Token token, const KeyedRow& row) const;

 private:
  struct Members {
    int sub_stream = 0;
    std::int64_t from = 0;
    std::int64_t to = 0;
  };
  /// Calls `each` for members [from, to) under a range, by the range that came first to them.
  void each_first(const PartitionDeletes::OfSlot& deleted, const SubStream& sub, std::int64_t from, std::int64_t to,
                  const FirstRanges& first, const std::function<void(const Deletion&, Rows)>& each) const;

  const ContentSpace* space_ = nullptr;
  PartitionDeletes of_partitions_{};
  std::vector<Members> deleted_{};                   // by sub-stream, then members; disjoint
  std::vector<const KeyedPartition*> tombstones_{};  // partitions that have some, by token
};

/// Calls `each(second of the delete, rows)` for rows that still have values and lie under a deletion: held one by one,
/// or as intervals and under that of their partition or a range of it. Of several ranges the first is the row's delete.
void each_covered_row(std::span<const Content* const> rows_in, const Shadows& shadows, const FirstRanges& first,
                      const std::function<void(Seconds, Rows)>& each);

}  // namespace windrow
