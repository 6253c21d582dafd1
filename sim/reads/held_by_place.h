#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/content/lattice_places.h"
#include "sim/reads/held_by_cell.h"

namespace windrow {

/// Cohorts of one writer on its lattice, found by the place of a partition: as many of them as lie around it, and few
/// others, are looked at.
class HeldByPlace {
 public:
  HeldByPlace() = default;
  /// Without slots, or with: these are not asked.
  HeldByPlace(const ContentSpace& space, std::span<const Cohort* const> cohorts);

  bool empty() const { return held_.empty(); }
  /// How many are around a member, in the mean.
  std::size_t mean_around() const { return by_place_.mean_around(); }
  /// Ascending numbers of all cohorts that may have the slot of this member between their tokens.
  std::span<const std::uint32_t> around(std::int64_t member) const;
  /// Whether the cohort has the member between its tokens.
  bool holds(std::uint32_t cohort, std::int64_t member) const { return held_[cohort].hold(member); }

 private:
  std::vector<LatticePositions> held_{};
  HeldByCell by_place_{};
};

}  // namespace windrow
