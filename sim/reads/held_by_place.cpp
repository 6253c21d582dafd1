#include "sim/reads/held_by_place.h"

#include "sim/content/content.h"

namespace windrow {

HeldByPlace::HeldByPlace(const ContentSpace& space, std::span<const Cohort* const> cohorts) {
  held_.reserve(cohorts.size());
  for (const Cohort* cohort : cohorts) held_.push_back(space.lattice()->positions(space, *cohort));
  if (held_.empty()) return;
  by_place_ = HeldByCell(held_.front().lattice->places());
  for (std::uint32_t i = 0; i < held_.size(); ++i) {
    const LatticePositions& held = held_[i];
    if (held.first.position >= held.last.position) continue;
    by_place_.add(i, TokenLattice::place_at(held.first.position), TokenLattice::place_at(held.last.position - 1) + 1);
  }
}

std::span<const std::uint32_t> HeldByPlace::around(std::int64_t member) const {
  const TokenLattice& lattice = *held_.front().lattice;
  return by_place_.around(lattice.place(member % lattice.slots()));
}

}  // namespace windrow
