#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sim/base/divisor.h"
#include "sim/base/ratio.h"
#include "sim/workload/owned_members.h"

namespace windrow {

/// The finalizer of SplitMix64 (Steele, Lea, Flood, 2014).
inline std::uint64_t split_mix_64(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// Which of the numbered rows of a writer share a fate. Its members are numbered j = 0, 1, 2, … in the order of rows.
/// All rows at first; a share divides into parts, by arithmetic alone. What is divided again and again is off by a row
/// a division at most, wherever one stops counting.
class RowShare {
 public:
  RowShare() = default;
  /// The rows g whose remainder modulo `modulus` is in `residues`, ascending: a recording's every k-th row.
  static RowShare remainders(std::int64_t modulus, std::vector<std::int64_t> residues);

  /// `part` of every `of` members, and the others; 0 < part < of. One member lies in each of `part` like pieces of
  /// `of` members, where a hash of its number and of `seed` puts it.
  std::pair<RowShare, RowShare> split(std::int64_t part, std::int64_t of, std::uint64_t seed) const;
  /// Parts in the proportion of `weights`, which are above 0. Three and more neighbours of one weight are dealt their
  /// members in turn: one lies in each of as many members as they are, from where on a hash says.
  std::vector<RowShare> divide(const std::vector<std::int64_t>& weights, std::uint64_t seed) const;

  /// Of these members those that one node holds; numbers of rows stay the cluster's.
  RowShare on_node(std::shared_ptr<const OwnedMembers> owned) const;
  /// Null: all nodes' members.
  const OwnedMembers* owned() const { return owned_.get(); }

  bool whole() const { return cuts_.empty() && residues_.empty() && !owned_; }
  /// Number of the j-th member.
  std::int64_t row(std::int64_t j) const;
  /// How many members have a number below g.
  std::int64_t rank(std::int64_t g) const { return owned_ ? owned_->below(rank_of_all(g)) : rank_of_all(g); }
  /// The same of all nodes' members.
  std::int64_t rank_of_all(std::int64_t g) const;

  /// Of remainders; of any other share 1 and none.
  std::int64_t modulus() const { return modulus_; }
  const std::vector<std::int64_t>& residues() const { return residues_; }

 private:
  friend class ShareForest;
  /// Of members that lie in pieces, `part` of every `of`: how many chosen ones, one in each piece, come first.
  class Chosen {
   public:
    Chosen() = default;
    Chosen(std::int64_t part, std::int64_t of, std::uint64_t seed)
        : pieces_(part, of),
          first_draw_(seed << 48),
          by_part_(part),
          shorter_(by_part_.divide(of).quotient),
          longer_(by_part_.divide(of).remainder),
          of_pairs_(part == 1 && of == 2) {}
    /// Those below g.
    std::int64_t before(std::int64_t g) const { return of_pairs_ ? before_of_pairs(g) : before_of_pieces(g); }
    /// One of two: the same as of any pieces, for less.
    bool of_pairs() const { return of_pairs_; }
    std::int64_t before_of_pairs(std::int64_t g) const {
      const std::int64_t pair = g >> 1;
      return pair + (g & 1 & static_cast<std::int64_t>(~draw_of(pair) >> 31));
    }
    /// Without a branch, which nothing could foresee.
    std::int64_t before_of_pieces(std::int64_t g) const {
      const auto [piece, over] = pieces_.of(g);
      // over / part members of the piece lie before g; it is one of the longer ones if what is left says so.
      const std::int64_t length = shorter_ + (by_part_.divide(over).remainder < longer_ ? 1 : 0);
      return piece + ((place_in(draw_of(piece), length) + 1) * by_part_.number() <= over ? 1 : 0);
    }
    std::uint64_t draw_of(std::int64_t piece) const {
      return split_mix_64(static_cast<std::uint64_t>(piece) + first_draw_) >> 32;
    }
    /// Where in a piece of so many members its chosen one lies.
    static std::int64_t place_in(std::uint64_t draw, std::int64_t length) {
      return static_cast<std::int64_t>(draw * static_cast<std::uint64_t>(length) >> 32);
    }
    std::int64_t shorter() const { return shorter_; }
    std::int64_t longer() const { return longer_; }

   private:
    Ratio pieces_{};  // of members: part / of
    std::uint64_t first_draw_ = 0;
    Divisor by_part_{};
    std::int64_t shorter_ = 1;  // members that a piece has at least
    std::int64_t longer_ = 0;   // of every `part` pieces those that have one more
    bool of_pairs_ = false;
  };
  /// Members that several parts of one size share out, a deal of one each after the other.
  class Deal {
   public:
    Deal() = default;
    Deal(std::int64_t parts, std::uint64_t seed) : by_parts_(parts), first_draw_(seed << 48) {}
    std::int64_t parts() const { return by_parts_.number(); }
    /// Where a member lies: in which deal, after how many of its members, and how far into it the first part's is.
    struct Place {
      std::int64_t deal = 0;
      std::int64_t over = 0;
      std::int64_t turn = 0;
    };
    Place place_of(std::int64_t g) const {
      const auto [deal, over] = by_parts_.divide(g);
      return {deal, over, turn_of(deal)};
    }
    /// How many members of a part come before it.
    std::int64_t before(const Place& place, std::int64_t part) const {
      return place.deal + (within(place.turn, part) < place.over ? 1 : 0);
    }
    std::int64_t member(std::int64_t part, std::int64_t j) const { return j * parts() + within(turn_of(j), part); }

   private:
    std::int64_t turn_of(std::int64_t deal) const {
      const std::uint64_t draw = split_mix_64(static_cast<std::uint64_t>(deal) + first_draw_) >> 32;
      return static_cast<std::int64_t>(draw * static_cast<std::uint64_t>(parts()) >> 32);
    }
    std::int64_t within(std::int64_t turn, std::int64_t part) const {
      const std::int64_t place = turn + part;
      return place < parts() ? place : place - parts();
    }

    Divisor by_parts_{};
    std::uint64_t first_draw_ = 0;
  };
  /// One in each of `part` pieces of every `of`, at most a half; or the rest; or one of several parts of one size.
  class Cut {
   public:
    Cut(std::int64_t part, std::int64_t of, std::uint64_t seed, bool rest);
    static Cut dealt(std::int64_t part, const Deal& deal, std::uint64_t seed);
    Cut other() const { return {part_, of_, seed_, !rest_}; }
    bool rest() const { return rest_; }
    std::int64_t row(std::int64_t j) const;
    std::int64_t rank(std::int64_t g) const {
      if (is_dealt_) return deal_.before(deal_.place_of(g), part_);
      const std::int64_t members = counted_.before(g);
      return rest_ ? g - members : members;
    }
    /// Members of the part, not of the rest.
    const Chosen& counted() const { return counted_; }
    bool is_dealt() const { return is_dealt_; }
    const Deal& deal() const { return deal_; }
    /// From 0, of what is dealt.
    std::int64_t part() const { return part_; }
    bool divides_like(const Cut& cut) const {
      return is_dealt_ == cut.is_dealt_ && of_ == cut.of_ && seed_ == cut.seed_ && (is_dealt_ || part_ == cut.part_);
    }

   private:
    Cut() = default;
    std::int64_t chosen(std::int64_t piece) const;

    std::int64_t part_ = 1;
    std::int64_t of_ = 2;
    std::uint64_t seed_ = 0;
    bool rest_ = false;
    bool is_dealt_ = false;
    Chosen counted_{};
    Ratio members_{};      // of pieces: of / part
    Ratio rest_pieces_{};  // of the rest's members: part / (of - part)
    Deal deal_{};
  };
  /// Neighbours of one weight.
  struct Equals {
    std::int64_t weight = 0;  // of all of them
    std::int64_t parts = 1;
  };
  RowShare with(const Cut& cut) const;
  void divide(const Equals* first, const Equals* last, std::uint64_t& seed, std::vector<RowShare>& parts) const;

  std::vector<Cut> cuts_{};  // each divides the members of those before
  std::int64_t modulus_ = 1;
  std::vector<std::int64_t> residues_{};  // of remainders
  std::shared_ptr<const OwnedMembers> owned_{};
};

}  // namespace windrow
