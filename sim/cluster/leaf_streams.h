#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "sim/cluster/exchange.h"
#include "sim/cluster/fault_record.h"
#include "sim/cluster/replica_rows.h"
#include "sim/workload/token_index.h"

namespace windrow {

/// The Merkle trees of a validation of one table, of the nodes of which some differ.
struct HashedTrees {
  std::vector<TokenRange> ranges{};          // a tree each
  std::map<int, std::vector<int>> depths{};  // by node, then range; -1: the node does not hold it
  // Each partition is looked for in its leaf: there are few enough, and their keys are hashed. Else their number is
  // expected.
  bool by_token = false;
  // What goes along reaches the receivers' disks. Of more partitions only what they lack does: copies of rows in many
  // files are many sets of rows, and years take long.
  bool arrive_whole = false;
};

/// To be asked when the ranges are hashed. Keys are estimated, and depths follow from them, as in
/// ValidationManager.createMerkleTrees (Cassandra 5.0.9); `memory` is a replica's part of repair_session_space.
/// Of `most_copied` partitions at most, of all pairs that differ, whole leaves arrive. `most_looked_at` are looked at
/// one by one; of more the number is expected.
HashedTrees hashed_trees(const TableReplicas& replicas, std::vector<TokenRange> ranges,
                         std::span<const Difference> differences, const RepairScope& scope, Bytes memory,
                         std::int64_t most_copied, std::int64_t most_looked_at = 2'000'000);

/// What one replica sends another in the engine: of every file in scope the partitions of differing leaves, whole,
/// whether the receiver has them or not (CassandraStreamManager, Cassandra 5.0.9). Of each file one SSTable, where the
/// engine may cut it into more.
struct LeafStream {
  int from = 0;
  int to = 0;
  StreamedLeaves sum{};
  std::vector<Stream> files{};  // empty unless whole leaves arrive
};
/// Both ways for each two that differ, from the files as they are now: to be asked before anything is sent. `tokens`
/// are of the table's writers: what was hashed for one repair serves the next.
std::vector<LeafStream> leaf_streams(const TableReplicas& replicas, const HashedTrees& trees,
                                     std::span<const Difference> differences, const RepairScope& scope,
                                     TokenIndex& tokens);

}  // namespace windrow
