#pragma once

#include "sim/content/content.h"
#include "sim/content/lattice_places.h"

namespace windrow {

/// Smooth: a cohort's members by their tokens, asked for many of them.
class MembersByToken {
 public:
  MembersByToken(const ContentSpace& space, const Cohort& cohort);

  /// Those whose tokens are not above `last`, which lies in the cohort's interval.
  std::int64_t up_to(Token last) const;

 private:
  const ContentSpace* space_ = nullptr;
  const Cohort* cohort_ = nullptr;
  LatticePositions positions_{};
  TokenLattice::Dealt from_;
  TokenLattice::Dealt to_;
  std::int64_t before_ = 0;

  std::int64_t below(const TokenLattice::Border& border) const {
    return positions_.lattice->rank(to_, border, *positions_.rounds) -
           positions_.lattice->rank(from_, border, *positions_.rounds);
  }
};

}  // namespace windrow
