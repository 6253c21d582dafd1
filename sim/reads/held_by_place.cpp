#include "sim/reads/held_by_place.h"

#include "sim/base/arithmetic.h"
#include "sim/content/content.h"

namespace windrow {

HeldByPlace::HeldByPlace(const ContentSpace& space, std::span<const Cohort* const> cohorts) {
  held_.reserve(cohorts.size());
  for (const Cohort* cohort : cohorts) held_.push_back(space.lattice()->positions(space, *cohort));
  if (held_.empty()) return;
  by_cell_.resize(cells);
  places_of_a_cell_ = ceil_div(held_.front().lattice->places(), static_cast<std::int64_t>(cells));
  for (std::uint32_t i = 0; i < held_.size(); ++i) {
    const LatticePositions& held = held_[i];
    if (held.first.position >= held.last.position) continue;
    const std::int64_t first = cell_of(TokenLattice::place_at(held.first.position));
    const std::int64_t last = cell_of(TokenLattice::place_at(held.last.position - 1));
    for (std::int64_t cell = first; cell <= last; ++cell) by_cell_[static_cast<std::size_t>(cell)].push_back(i);
  }
}

std::size_t HeldByPlace::mean_around() const {
  std::size_t all = 0;
  for (const std::vector<std::uint32_t>& cell : by_cell_) all += cell.size();
  return all / cells;
}

std::span<const std::uint32_t> HeldByPlace::around(std::int64_t member) const {
  const TokenLattice& lattice = *held_.front().lattice;
  return by_cell_[static_cast<std::size_t>(cell_of(lattice.place(member % lattice.slots())))];
}

}  // namespace windrow
