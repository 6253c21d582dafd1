#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "sim/base/units.h"

namespace windrow {

/// Tokens of so many partitions that hashing them one by one is not worth it: evenly spaced over the ring, successive
/// slots far from each other. Counting is arithmetic, hence exact and additive over slots and over tokens; what real
/// tokens have beyond that is the noise of a hash.
///
/// The n slots are dealt to `columns` columns in turn, and a column's places lie next to each other on the ring: slot s
/// has place (s mod columns) * rows + s / columns.
class TokenLattice {
 public:
  explicit TokenLattice(std::int64_t slots);

  /// Places whose tokens are not above `token`; 0 … places().
  std::int64_t places_up_to(Token token) const;
  std::int64_t place(std::int64_t slot) const { return slot % columns_ * rows_ + slot / columns_; }
  /// How many of `turns` successive slots from slot 0 on (turn `slots` is slot 0 again) lie below a place.
  std::int64_t count(std::int64_t turns, std::int64_t below_place) const {
    const Column end = column_of(below_place);
    return turns / slots_ * in_first(slots_, end) + in_first(turns % slots_, end);
  }
  /// The same for turns [from, to) and places [first, last).
  std::int64_t count(std::int64_t from, std::int64_t to, std::int64_t first, std::int64_t last) const {
    return count(to, last) - count(to, first) - count(from, last) + count(from, first);
  }
  std::int64_t slots() const { return slots_; }

 private:
  /// Where a place lies: its column, and how many of that column lie below it.
  struct Column {
    std::int64_t column = 0;
    std::int64_t below = 0;
  };
  Column column_of(std::int64_t place) const { return {place / rows_, place % rows_}; }
  /// Of slots [0, count), count ≤ slots.
  std::int64_t in_first(std::int64_t count, const Column& end) const {
    const std::int64_t full = count / columns_;
    const std::int64_t more = count % columns_;
    const std::int64_t in_columns = end.column * full + std::min(end.column, more);
    return in_columns + std::min(end.below, full + (end.column < more ? 1 : 0));
  }

  std::int64_t slots_ = 1;
  std::int64_t columns_ = 1;  // about the square root of slots
  std::int64_t rows_ = 1;     // of a column; the last may be incomplete
};

}  // namespace windrow
