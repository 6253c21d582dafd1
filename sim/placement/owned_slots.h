#pragma once

#include <cstdint>
#include <vector>

namespace windrow {

/// Which of a bucket's slots a node owns. A writer's row g is of slot g mod `slots`; a slot is an (entity, shard) with
/// a partition in every bucket.
class OwnedSlots {
 public:
  /// These, ascending.
  static OwnedSlots listed(std::int64_t slots, std::vector<std::int32_t> owned);
  /// So many, evenly among all.
  static OwnedSlots even(std::int64_t slots, std::int64_t owned);

  std::int64_t slots() const { return slots_; }
  std::int64_t owned() const { return owned_; }
  /// Owned slots below x; x from 0 to `slots`.
  std::int64_t rank(std::int64_t x) const;
  /// Owned slot number i, from 0.
  std::int64_t slot(std::int64_t i) const;
  /// The node's rows among the writer's rows [0, g).
  std::int64_t rows_below(std::int64_t g) const { return g / slots_ * owned_ + rank(g % slots_); }

 private:
  OwnedSlots(std::int64_t slots, std::int64_t owned, std::vector<std::int32_t> list);

  std::int64_t slots_ = 1;
  std::int64_t owned_ = 0;
  std::vector<std::int32_t> list_{};  // empty: evenly
};

/// A node's rows in one bucket, which holds the writer's rows from `first_row` on. They are rows of a class with
/// `owned` slots that begins its round at `start`: local row h is of owned slot (start + h) mod owned.
class NodeRows {
 public:
  NodeRows(const OwnedSlots& slots, std::int64_t first_row)
      : slots_(&slots), first_row_(first_row), start_(slots.rank(first_row % slots.slots())) {}

  std::int64_t start() const { return start_; }
  /// The node's rows in [first_row, g): exact.
  std::int64_t before(std::int64_t g) const { return slots_->rows_below(g) - slots_->rows_below(first_row_); }
  /// The writer's number of local row h; the node owns a slot.
  std::int64_t cluster_row(std::int64_t h) const;

 private:
  const OwnedSlots* slots_;
  std::int64_t first_row_;
  std::int64_t start_;
};

}  // namespace windrow
