#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/content/content.h"

namespace windrow {

// Sets of rows as cohorts: whose members, tokens and slots they are counts, not of which sub-stream or in which state.
// The members of a sub-stream of row tombstones have the numbers of the rows that they delete.

/// What is left of `cohort` without `other` is appended to `kept`.
void subtract_rows(const ContentSpace& space, const Cohort& cohort, const Cohort& other, std::vector<Cohort>& kept);

/// The part of `cohort` that `other` holds too.
std::optional<Cohort> rows_in_both(const Cohort& cohort, const Cohort& other);

/// The parts of `cohorts` that are in one of `others`, which are disjoint.
std::vector<Cohort> rows_within(std::span<const Cohort> cohorts, std::span<const Cohort> others);

/// The parts of `cohorts` that are in none of `others`.
std::vector<Cohort> rows_without(const ContentSpace& space, std::vector<Cohort> cohorts,
                                 std::span<const Cohort> others);

}  // namespace windrow
