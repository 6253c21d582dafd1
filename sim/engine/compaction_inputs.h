#pragma once

#include <vector>

#include "sim/content/content.h"
#include "sim/engine/sstables_by_id.h"
#include "sim/ring/local_ranges.h"

namespace windrow {

// What the outputs of a compaction owe to all of its inputs.

/// Delta bases of a compaction's outputs: minima over the statistics of what is read (storage rule 1.2).
HeaderBases bases_of(const std::vector<SSTablePtr>& sources);

/// Compressed over uncompressed bytes of what is left of the sources: every row keeps the ratio of the file that it
/// comes from.
double compression_of(const ContentSpace& space, const std::vector<SSTablePtr>& sources);

/// Rule 9.12: density of a compaction's inputs, times the coverage of what the node holds.
double density_of(const std::vector<SSTablePtr>& sources, const LocalRanges* local);

}  // namespace windrow
