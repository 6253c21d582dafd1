#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/cluster/ring_parts.h"
#include "sim/content/content.h"
#include "sim/engine/node.h"
#include "sim/ring/local_ranges.h"

namespace windrow {

/// What each node of a scenario is written where faults tell nodes apart, and how rows are named between nodes. A node
/// numbers its members of a sub-stream by itself; the cluster's number is that of the sub-stream as if one node held
/// all. Every key is hashed, so that both follow from each other exactly. With as many nodes as copies all hold the
/// same, and the numbers are the same: but where repairs take some ranges apart. `sets` are the replica sets, or the
/// parts of them that repairs tell apart (RingParts).
class RingRows {
 public:
  /// Refuses (std::invalid_argument) what cannot be placed exactly. The scenario outlives it.
  explicit RingRows(const Scenario& scenario);

  /// True if every node holds every row, and each repair is of all of them: then there are no sets.
  bool all_alike() const { return !parts_; }
  /// What is written to the cluster, and to a node: sub-streams have the same places in both.
  const Workloads& whole() const { return whole_; }
  const Workloads& of_node(int node) const { return all_alike() ? whole_ : of_nodes_[static_cast<std::size_t>(node)]; }

  std::size_t sets() const { return parts_ ? parts_->count() : 1; }
  /// Replica sets of which the node is one; null: all.
  const SharedSets& sets_of(int node) const { return sets_of_[static_cast<std::size_t>(node)]; }
  /// What the node holds of the ring; null: all of it.
  std::shared_ptr<const LocalRanges> local_ranges(int node) const;
  /// Replica sets with one of these nodes.
  SetMask sets_with(const std::vector<bool>& nodes) const;
  bool share_a_range(int node, int other) const;
  /// The data centre of each node, by number.
  const std::vector<int>& center_of() const { return center_of_; }
  /// The sets that a step of a repair is about, null: all; and its tokens.
  SharedSets sets_wanted(const RangesWanted& wanted) const;
  std::vector<TokenRange> ranges_wanted(const RangesWanted& wanted) const;
  /// The same, as they are hashed: each has a Merkle tree of its own.
  std::vector<TokenRange> trees_wanted(const RangesWanted& wanted) const;
  /// The node is a replica of the token's range.
  bool holds(int node, Token token) const {
    return all_alike() ||
           sets_of_[static_cast<std::size_t>(node)]->holds(static_cast<std::size_t>(parts_->part_of(token)));
  }
  /// What of these rows, in the cluster's numbers, the node should hold.
  std::vector<Cohort> held_by(int node, std::vector<Cohort> rows) const;
  /// Rows of a node in the cluster's numbers; and what of such rows is the node's, in its own.
  std::vector<Cohort> to_cluster(int table, int node, std::vector<Cohort> rows) const;
  std::vector<Cohort> to_node(int table, int node, std::vector<Cohort> rows) const;

 private:
  void place(const Scenario& scenario);
  void add_node(const Scenario& scenario, int node);
  const SubStream& sub_stream(int table, int node, int s) const {
    return of_node(node)[static_cast<std::size_t>(table)]->sub_streams()[static_cast<std::size_t>(s)];
  }

  std::vector<TokenRange> alike_ranges_{};  // of the ring, where all nodes hold all of it
  std::optional<RingParts> parts_{};
  std::vector<SharedSets> sets_of_{};  // by node
  std::vector<int> center_of_{};       // by node
  Workloads whole_{};
  std::vector<Workloads> of_nodes_{};
};

}  // namespace windrow
