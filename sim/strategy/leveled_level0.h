#pragma once

#include <cstdint>
#include <vector>

#include "sim/schema/compaction_options.h"
#include "sim/strategy/level_order.h"

namespace windrow {

/// Rule 8.5 (LeveledManifest.getCandidatesFor, level 0): files of level 0, and of level 1 if the data suffices for it.
std::vector<LevelOrder::Place> level0_candidates(const LevelOrder& order, int max_threshold, Bytes sstable_bytes);

/// Rule 8.4 step 1: size-tiered compaction among the idle files of a level 0 that has grown too long, in the order of
/// `LevelOrder::level0_by_size`; ids, may be empty.
std::vector<std::int64_t> size_tiered_in_level0(InOrder<FilePlace> by_size, const SizeTieredOptions& options);

}  // namespace windrow
