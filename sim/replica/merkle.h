#pragma once

#include <span>
#include <vector>

#include "sim/replica/replica.h"

namespace windrow {

/// Keys the engine takes a file to hold in a range: 128 for each sample of its index summary inside, and at least one.
/// Samples are its partitions 0, 128, 256, … (BigTableReader.estimatedKeysForRanges, Cassandra 5.0.9; of a BTI file the
/// count is exact).
std::int64_t estimated_keys(const KeyedContent& file, const TokenRange& range);

/// Depth of the tree over a range of so many keys: ⌈log2⌉, at most 20 (ValidationManager.createMerkleTrees).
int tree_depth(std::int64_t keys);

/// The deepest tree that a validation with so much memory builds, at least 1 (MerkleTree.estimatedMaxDepthForBytes,
/// hashes of 32 bytes).
int tree_depth_within(Bytes bytes);

/// The leaf that holds the token: `range` is halved `depth` times, or until it cannot be (MerkleTree.init).
TokenRange leaf_of(TokenRange range, int depth, Token token);

/// What one replica hashed of the ranges of a repair.
struct Validation {
  KeyedContent content{};     // merged, and purged with "always true"
  std::vector<int> depths{};  // of the tree of each range
};

/// The leaves in which two replicas differ. Trees of unequal depth meet at the shallower.
std::vector<TokenRange> differing_leaves(const Validation& a, const Validation& b, std::span<const TokenRange> ranges,
                                         const CompareValues& values, const ReplicaRules& rules);

}  // namespace windrow
