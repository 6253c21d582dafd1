#pragma once

#include <span>

#include "sim/content/census_slots.h"

namespace windrow {

/// Bases of an SSTable that has only these rows.
HeaderBases bases_of(const ContentSpace& space, std::span<const BucketPiece> pieces);

/// Adds what is held row by row: a cell, the rows of a partition without what deletes them, and what does.
void see_cell(const KeyedCell& cell, HeaderBases& bases);
void see_rows(const KeyedPartition& partition, HeaderBases& bases);
void see_deletions(const KeyedPartition& partition, HeaderBases& bases);

}  // namespace windrow
