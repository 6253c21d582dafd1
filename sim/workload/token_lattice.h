#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "sim/base/divisor.h"
#include "sim/base/units.h"
#include "sim/base/van_der_corput.h"

namespace windrow {

/// How the partitions of one slot follow each other: after so many turns of a writer's slots comes the next bucket. A
/// bucket may hold a few turns more or less: its partitions then have rows at the places of two rounds.
class Rounds {
 public:
  Rounds() = default;  // one partition a slot
  Rounds(std::int64_t turns, std::int64_t turns_before) : turns_(turns), turns_before_(turns_before) {}

  std::int64_t round_of(std::int64_t turn) const { return turns_.divide(turn + turns_before_).quotient; }
  /// The first turn of the round after that of `turn`.
  std::int64_t end_of_round(std::int64_t turn) const { return (round_of(turn) + 1) * turns_.number() - turns_before_; }

 private:
  friend class TokenLattice;
  Divisor turns_{std::int64_t{1} << 52};
  std::int64_t turns_before_ = 0;  // of the first round, that are missing
};

/// Tokens of so many partitions that hashing them one by one is not worth it: evenly spaced over the ring, successive
/// slots far from each other. Counting is arithmetic, hence exact and additive over slots and over tokens; what real
/// tokens have beyond that is the noise of a hash.
///
/// The n slots are dealt to `columns` columns in turn, and a column's places lie next to each other on the ring: slot s
/// has place (s mod columns) * rows + s / columns. A place has 2^fraction_bits positions, which the slot's partitions
/// of successive rounds take in the order of van der Corput.
class TokenLattice {
 public:
  static constexpr int fraction_bits = VanDerCorput::bits;

  explicit TokenLattice(std::int64_t slots);

  /// Positions whose tokens are not above `token`; 0 … all of them.
  std::int64_t positions_up_to(Token token) const;
  std::int64_t place(std::int64_t slot) const {
    const auto [round, column] = columns_.divide(slot);
    return column * rows_.number() + round;
  }
  std::int64_t position(std::int64_t slot, std::int64_t round) const {
    return (place(slot) << fraction_bits) + VanDerCorput::term(round);
  }

  static std::int64_t place_at(std::int64_t position) { return position >> fraction_bits; }
  /// Places are below this; a few have no slot.
  std::int64_t places() const { return columns_.number() * rows_.number(); }

  /// A position with where it lies, for who counts below it again and again.
  struct Border {
    std::int64_t position = 0;
    std::int64_t column = 0;
    std::int64_t below = 0;     // places of the column that are below it
    std::int64_t fraction = 0;  // of the place's positions
    std::int64_t slot = 0;      // of that place; slots() or more if there is none
  };
  Border border(std::int64_t position) const {
    const auto [column, below] = rows_.divide(place_at(position));
    return {position, column, below, position & fraction_mask, below * columns_.number() + column};
  }
  /// Successive slots, the first so many: after the last slot, in the next turn, comes the first again. Likewise.
  struct Dealt;
  Dealt dealt(std::int64_t turns) const;
  /// How many of the slots between two of these have a position below the border's, is their difference.
  std::int64_t rank(const Dealt& dealt, const Border& border, const Rounds& rounds) const;
  /// That difference, for less.
  std::int64_t ranks_between(const Dealt& from, const Dealt& to, const Border& border, const Rounds& rounds) const;

  /// How many of successive slots with numbers [from, to) have a position in [first, last).
  std::int64_t count(std::int64_t from, std::int64_t to, std::int64_t first, std::int64_t last,
                     const Rounds& rounds) const;
  /// Partitions of all slots in rounds [from, to) with positions in [first, last).
  std::int64_t count_partitions(std::int64_t from, std::int64_t to, const Border& first, const Border& last) const {
    return partitions_below(from, to, last) - partitions_below(from, to, first);
  }
  std::int64_t slots() const { return slots_.number(); }

 private:
  static constexpr std::int64_t fraction_mask = (std::int64_t{1} << fraction_bits) - 1;

  /// Slots dealt to the columns: `full` to each, one more to the first `more`.
  struct Hand {
    std::int64_t full = 0;
    std::int64_t more = 0;
  };
  Hand hand(std::int64_t slots) const {
    const auto [full, more] = columns_.divide(slots);
    return {full, more};
  }

  static std::int64_t below(const Hand& hand, const Border& end) {
    const std::int64_t in_columns = end.column * hand.full + std::min(end.column, hand.more);
    return in_columns + std::min(end.below, hand.full + (end.column < hand.more ? 1 : 0));
  }
  static std::int64_t turns_below(std::int64_t turns, std::int64_t fraction, const Rounds& rounds) {
    const auto [round, of_last] = rounds.turns_.divide(turns + rounds.turns_before_);
    return VanDerCorput::count_below(round, fraction) * rounds.turns_.number() +
           (VanDerCorput::term(round) < fraction ? of_last : 0);
  }
  std::int64_t partitions_below(std::int64_t from, std::int64_t to, const Border& border) const {
    std::int64_t partitions = (to - from) * below(all_, border);
    if (border.fraction > 0 && border.slot < slots()) {
      partitions += VanDerCorput::count_below(to, border.fraction) - VanDerCorput::count_below(from, border.fraction);
    }
    return partitions;
  }

  Divisor slots_{};
  Divisor columns_{};  // about the square root of slots
  Divisor rows_{};     // of a column; the last may be incomplete
  Hand all_{};         // of all slots
};

/// All slots so often, and then the first `slots` of them.
struct TokenLattice::Dealt {
  std::int64_t times = 0;
  std::int64_t slots = 0;
  Hand rest{};
};

inline TokenLattice::Dealt TokenLattice::dealt(std::int64_t turns) const {
  const auto [times, rest] = slots_.divide(turns);
  return {times, rest, hand(rest)};
}

inline std::int64_t TokenLattice::rank(const Dealt& dealt, const Border& border, const Rounds& rounds) const {
  const std::int64_t places = dealt.times * below(all_, border) + below(dealt.rest, border);
  if (border.fraction == 0 || border.slot >= slots()) return places;
  return places + turns_below(dealt.times + (dealt.slots > border.slot ? 1 : 0), border.fraction, rounds);
}

inline std::int64_t TokenLattice::ranks_between(const Dealt& from, const Dealt& to, const Border& border,
                                                const Rounds& rounds) const {
  const std::int64_t places =
      (to.times - from.times) * below(all_, border) + below(to.rest, border) - below(from.rest, border);
  if (border.fraction == 0 || border.slot >= slots()) return places;
  const std::int64_t turns_before = from.times + (from.slots > border.slot ? 1 : 0);
  const std::int64_t turns = to.times + (to.slots > border.slot ? 1 : 0);
  if (turns == turns_before) return places;
  return places + turns_below(turns, border.fraction, rounds) - turns_below(turns_before, border.fraction, rounds);
}

inline std::int64_t TokenLattice::count(std::int64_t from, std::int64_t to, std::int64_t first, std::int64_t last,
                                        const Rounds& rounds) const {
  const Dealt before = dealt(from);
  const Dealt until = dealt(to);
  return ranks_between(before, until, border(last), rounds) - ranks_between(before, until, border(first), rounds);
}

}  // namespace windrow
