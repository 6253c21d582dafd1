#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "sim/base/divisor.h"
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
  std::int64_t place(std::int64_t slot) const {
    const auto [round, column] = columns_.divide(slot);
    return column * rows_.number() + round;
  }
  /// How many of `turns` successive slots from slot 0 on (turn `slots` is slot 0 again) lie below a place.
  std::int64_t count(std::int64_t turns, std::int64_t below_place) const {
    return count(dealt(turns), column_of(below_place));
  }
  /// The same for turns [from, to) and places [first, last).
  std::int64_t count(std::int64_t from, std::int64_t to, std::int64_t first, std::int64_t last) const {
    const Dealt until = dealt(to);
    const Dealt before = dealt(from);
    const Column end = column_of(last);
    const Column begin = column_of(first);
    return count(until, end) - count(until, begin) - count(before, end) + count(before, begin);
  }
  std::int64_t slots() const { return slots_.number(); }

 private:
  /// Where a place lies: its column, and how many of that column lie below it.
  struct Column {
    std::int64_t column = 0;
    std::int64_t below = 0;
  };
  Column column_of(std::int64_t place) const {
    const auto [column, below] = rows_.divide(place);
    return {column, below};
  }
  /// Slots dealt to the columns: `full` to each, one more to the first `more`.
  struct Hand {
    std::int64_t full = 0;
    std::int64_t more = 0;
  };
  /// So many turns: all slots so often, and then some.
  struct Dealt {
    std::int64_t times = 0;
    Hand rest{};
  };
  Hand hand(std::int64_t slots) const {
    const auto [full, more] = columns_.divide(slots);
    return {full, more};
  }
  Dealt dealt(std::int64_t turns) const {
    const auto [times, rest] = slots_.divide(turns);
    return {times, hand(rest)};
  }

  static std::int64_t below(const Hand& hand, const Column& end) {
    const std::int64_t in_columns = end.column * hand.full + std::min(end.column, hand.more);
    return in_columns + std::min(end.below, hand.full + (end.column < hand.more ? 1 : 0));
  }
  std::int64_t count(const Dealt& dealt, const Column& end) const {
    return dealt.times * below(all_, end) + below(dealt.rest, end);
  }

  Divisor slots_{};
  Divisor columns_{};  // about the square root of slots
  Divisor rows_{};     // of a column; the last may be incomplete
  Hand all_{};         // of all slots
};

}  // namespace windrow
