#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sim/schema/compaction_options.h"

namespace windrow {

/// Files by their place in order of first token.
using OverlapSet = std::vector<std::uint32_t>;

/// Rule 9.6 (Overlaps.constructOverlapSets, Cassandra 5.0.9): every maximal set of files that share a token, in token
/// order. `spans`: first and last token, ascending by first.
std::vector<OverlapSet> overlap_sets(std::span<const std::pair<Token, Token>> spans);

/// The same sets, each in the order in which the engine puts it into a hash set: that of the heap of active files.
std::vector<OverlapSet> overlap_sets_as_collected(std::span<const std::pair<Token, Token>> spans);

/// Consecutive overlap sets [begin, end) that compact together.
struct OverlapBucket {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t overlap = 0;  // of its largest set
};

/// Rule 9.7 (Overlaps.assignOverlapsIntoBuckets).
std::vector<OverlapBucket> overlap_buckets(std::span<const OverlapSet> sets, std::size_t threshold,
                                           UnifiedOptions::Overlap inclusion);

/// Rule 9.9 (Overlaps.pullLastWithOverlapLimit): takes files in the order given while no set holds more than `limit` of
/// them.
std::vector<std::uint32_t> take_with_overlap_limit(std::span<const std::uint32_t> files,
                                                   std::span<const OverlapSet> sets, std::size_t limit);

}  // namespace windrow
