#pragma once

#include <span>
#include <vector>

#include "sim/content/content.h"

namespace windrow {

// Rows that lie in two files of a table, or more, since a repair streams whole leaves (CassandraStreamManager,
// Cassandra 5.0.9). Elsewhere the rows of different files are different ones.

/// What two copies of a row make together (Cells.resolveRegular, LivenessInfo.supersedes, rule 3.4): of equally old
/// cells one without value wins; what one of them has lost the other brings back.
RowState merged_state(RowState one, RowState other);

/// Cohorts that may share rows, in whatever states, become disjoint: each row is there once, in the state of all its
/// copies together.
void absorb_duplicates(const ContentSpace& space, std::vector<Cohort>& cohorts);

/// Of each content the rows that one before it holds too, disjoint. Empty where no two share a row.
std::vector<std::vector<Cohort>> duplicates_in(const ContentSpace& space, std::span<const Content* const> contents);

/// What of a file's cohorts is among its duplicates, and what is left of them without.
std::vector<Cohort> rows_twice(std::span<const Cohort> cohorts, std::span<const Cohort> duplicates);
std::vector<Cohort> rows_once(const ContentSpace& space, std::span<const Cohort> cohorts,
                              std::span<const Cohort> duplicates);

/// True if a row may be among both, or of two of the contents: as far as members, tokens and slots tell.
bool may_share_rows(std::span<const Cohort> some, std::span<const Cohort> others);
bool may_share_rows(std::span<const Content* const> contents);

}  // namespace windrow
