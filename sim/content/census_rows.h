#pragma once

#include <span>
#include <vector>

#include "sim/content/census_slots.h"
#include "sim/content/row_format.h"

namespace windrow {

/// Finds the bytes of a row, in the mean, of those of a bucket's pieces that have none yet. Pieces that differ in their
/// partitions alone have the same: most that a merge wrote to several files.
void measure_rows(const ContentSpace& space, std::span<BucketPiece> pieces, const RowFormat& format);

/// The pieces of a writer's cohorts, by bucket.
std::vector<BucketPiece> pieces_of(const ContentSpace& space, const Writer& writer, std::span<const Cohort> cohorts);

/// The same of one file, whose rows have this format. Where values have one size the bytes of a row are there already.
/// Buckets that all cohorts hold alike, and whose rows are of one size, are one piece of each cohort if they may be
/// together: where partitions follow from tokens (ContentSpace::on_lattice).
std::vector<BucketPiece> pieces_of_file(const ContentSpace& space, const Writer& writer,
                                        std::span<const Cohort> cohorts, const RowFormat& format, bool together);

}  // namespace windrow
