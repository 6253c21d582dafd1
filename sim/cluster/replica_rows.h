#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/cluster/ring_rows.h"
#include "sim/content/row_sets.h"
#include "sim/engine/node.h"

namespace windrow {

/// All nodes of a cluster.
using Replicas = std::vector<std::unique_ptr<Node>>;

/// One table on all nodes: what lies where, as disjoint sets of members in the fewest pieces, in the cluster's numbers.
class TableReplicas {
 public:
  /// What it is given outlives it.
  TableReplicas(const RingRows& ring, const Replicas& nodes, int table);

  int count() const { return static_cast<int>(nodes_->size()); }
  int table() const { return table_; }
  const RingRows& ring() const { return *ring_; }
  const TableStore& store(int node) const { return (*nodes_)[static_cast<std::size_t>(node)]->table(table_); }
  /// Of rows in the cluster's numbers.
  const ContentSpace& space() const { return own_space_ ? *own_space_ : store(0).space(); }

  /// All of a sub-stream's on a node, in files and memtable, in whatever state.
  std::vector<Cohort> members_on(int node, int sub_stream) const;
  /// The same, in files alone: all, or those of a session of an incremental repair.
  std::vector<Cohort> filed_on(int node, int sub_stream, std::int64_t session = 0) const;
  /// The same, in files that no repair has marked as repaired, and in the memtable.
  std::vector<Cohort> unrepaired_on(int node, int sub_stream) const;
  /// Some file of some node is repaired.
  bool any_repaired() const;
  bool is_of_session(int node, std::int64_t file, std::int64_t session) const {
    return session == 0 || store(node).live().at(file).repair.pending_session == session;
  }
  /// Rows that still have their values, expired or not.
  std::vector<Cohort> values_on(int node, int sub_stream) const;
  std::vector<Cohort> to_cluster(int node, std::vector<Cohort> rows) const {
    return ring_->to_cluster(table_, node, std::move(rows));
  }
  std::vector<Cohort> to_node(int node, std::vector<Cohort> rows) const;

  /// Members that come in [from, to) and reach one of their nodes.
  std::vector<Cohort> accepted(int sub_stream, Micros from_us, Micros to_us) const;

 private:
  const RingRows* ring_;
  const Replicas* nodes_;
  int table_ = 0;
  std::shared_ptr<const ContentSpace> own_space_{};  // null: that of any node
};

/// Rows that still have their values on a node, in its own numbers.
std::vector<Cohort> values_in(const TableStore& table, int sub_stream);
/// The same in whatever state.
std::vector<Cohort> members_in(const TableStore& table, int sub_stream);

/// Sub-streams of row tombstones of a table, with the sub-stream that each deletes from.
struct RowDeletesOf {
  int tombstones = 0;
  int target = 0;
};
std::vector<RowDeletesOf> deletes_in(const TableWorkload& workload);

/// Sets of rows that are looked up by their numbers; as rows_within and rows_without, in less time where there are
/// many.
class SortedRows {
 public:
  SortedRows() = default;
  explicit SortedRows(std::vector<Cohort> rows);
  const std::vector<Cohort>& rows() const { return rows_; }
  /// Those that may have members of [from, to).
  std::span<const Cohort> meeting(std::int64_t from, std::int64_t to) const;
  std::vector<Cohort> within(std::span<const Cohort> cohorts) const;
  /// The parts of `cohorts` that are in none of these.
  std::vector<Cohort> missing_of(const ContentSpace& space, std::span<const Cohort> cohorts) const;

 private:
  std::vector<Cohort> rows_{};
  std::vector<std::int64_t> reach_{};  // the largest end up to here; empty: not in order
};

}  // namespace windrow
