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

  /// Successive slots with numbers [from, to): after the last slot, in the next turn, comes the first again.
  class Turns;
  /// How many of them have a position in [first, last).
  std::int64_t count(std::int64_t from, std::int64_t to, std::int64_t first, std::int64_t last,
                     const Rounds& rounds) const;
  /// Partitions of all slots in rounds [from, to) with positions in [first, last).
  std::int64_t count_partitions(std::int64_t from, std::int64_t to, std::int64_t first, std::int64_t last) const {
    return partitions_below(from, to, last) - partitions_below(from, to, first);
  }
  std::int64_t slots() const { return slots_.number(); }

 private:
  static constexpr std::int64_t fraction_mask = (std::int64_t{1} << fraction_bits) - 1;

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
  /// So many turns: all slots so often, and then the first `slots` of them.
  struct Dealt {
    std::int64_t times = 0;
    std::int64_t slots = 0;
    Hand rest{};
  };
  Hand hand(std::int64_t slots) const {
    const auto [full, more] = columns_.divide(slots);
    return {full, more};
  }
  Dealt dealt(std::int64_t turns) const {
    const auto [times, rest] = slots_.divide(turns);
    return {times, rest, hand(rest)};
  }

  static std::int64_t below(const Hand& hand, const Column& end) {
    const std::int64_t in_columns = end.column * hand.full + std::min(end.column, hand.more);
    return in_columns + std::min(end.below, hand.full + (end.column < hand.more ? 1 : 0));
  }
  std::int64_t count(const Dealt& dealt, const Column& end) const {
    return dealt.times * below(all_, end) + below(dealt.rest, end);
  }
  /// The slot at a place, `slots()` or more if there is none.
  std::int64_t slot_at(const Column& place) const { return place.below * columns_.number() + place.column; }
  /// How many of the slot at one place lie below a fraction of it.
  std::int64_t count_at(const Dealt& before, const Dealt& until, const Column& place, std::int64_t fraction,
                        const Rounds& rounds) const {
    if (fraction == 0) return 0;
    const std::int64_t slot = slot_at(place);
    if (slot >= slots()) return 0;
    return turns_below(until.times + (until.slots > slot ? 1 : 0), fraction, rounds) -
           turns_below(before.times + (before.slots > slot ? 1 : 0), fraction, rounds);
  }
  static std::int64_t turns_below(std::int64_t turns, std::int64_t fraction, const Rounds& rounds) {
    const auto [round, of_last] = rounds.turns_.divide(turns + rounds.turns_before_);
    return VanDerCorput::count_below(round, fraction) * rounds.turns_.number() +
           (VanDerCorput::term(round) < fraction ? of_last : 0);
  }
  std::int64_t partitions_below(std::int64_t from, std::int64_t to, std::int64_t position) const {
    const Column place = column_of(position >> fraction_bits);
    const std::int64_t fraction = position & fraction_mask;
    std::int64_t partitions = (to - from) * below(all_, place);
    if (fraction > 0 && slot_at(place) < slots()) {
      partitions += VanDerCorput::count_below(to, fraction) - VanDerCorput::count_below(from, fraction);
    }
    return partitions;
  }

  Divisor slots_{};
  Divisor columns_{};  // about the square root of slots
  Divisor rows_{};     // of a column; the last may be incomplete
  Hand all_{};         // of all slots
};

class TokenLattice::Turns {
 public:
  Turns(const TokenLattice& lattice, const Rounds& rounds, std::int64_t from, std::int64_t to)
      : lattice_(&lattice), rounds_(&rounds), before_(lattice.dealt(from)), until_(lattice.dealt(to)) {}

  /// How many of them have a position below this one.
  std::int64_t below(std::int64_t position) const {
    const Column end = lattice_->column_of(position >> fraction_bits);
    return lattice_->count(until_, end) - lattice_->count(before_, end) +
           lattice_->count_at(before_, until_, end, position & fraction_mask, *rounds_);
  }

 private:
  const TokenLattice* lattice_ = nullptr;
  const Rounds* rounds_ = nullptr;
  Dealt before_{};
  Dealt until_{};
};

inline std::int64_t TokenLattice::count(std::int64_t from, std::int64_t to, std::int64_t first, std::int64_t last,
                                        const Rounds& rounds) const {
  const Turns turns(*this, rounds, from, to);
  return turns.below(last) - turns.below(first);
}

}  // namespace windrow
