#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/load/rank_table.h"
#include "sim/placement/replica_sets.h"
#include "sim/ring/replica_map.h"
#include "sim/workload/writer.h"

namespace windrow {

/// What each node has of one writer: partitions of every bucket, and rows of every stretch in which neither the bucket
/// nor the pace changes. Counts are exact; within a stretch a node's rows are evenly spread, off by less than a turn.
class NodeShares {
 public:
  /// The writer has rows. What it is given outlives it.
  NodeShares(const Writer& writer, const ReplicaMap& replicas, int nodes);

  /// Buckets are numbered from the writer's first.
  std::size_t buckets() const { return first_piece_.size() - 1; }
  /// The bucket's partitions, and that they are as those of bucket `source` hash.
  void take(std::size_t bucket, std::size_t source, const RankTable& by_node);
  /// Partitions are spread by what nodes own of the ring, alike in all buckets.
  void take_even();
  bool even() const { return even_; }
  /// Partitions of a bucket (BucketRule's number) that a node has; of one in which nothing is written: none.
  std::int64_t slots(std::int64_t bucket_number, int node) const;
  /// The same of all nodes together.
  std::int64_t slots_of_all(std::int64_t bucket_number) const;

  /// The writer as one node has it; nothing if it has no row.
  std::unique_ptr<Writer> of_node(int node) const;
  /// The same with as many partitions in every bucket, evenly spread: on the lattice. Rows are as hashed.
  std::unique_ptr<Writer> of_node_on_lattice(int node) const;
  /// As if no key were hashed.
  std::unique_ptr<Writer> of_node_evenly(int node) const;

  /// True if two nodes have the same partitions, row for row.
  bool alike(int node, int other) const;

 private:
  /// Rows [from, to) of the writer.
  struct Piece {
    std::int64_t from = 0;
    std::int64_t to = 0;
  };
  struct Share {
    std::int64_t slots = 0;
    std::int64_t start = 0;
  };
  SlotKeys keys() const {
    return {.keys = writer_->keys.get(), .entities = writer_->entities, .shards = writer_->shards};
  }
  std::size_t place(std::size_t i, int node) const { return i * nodes_ + static_cast<std::size_t>(node); }
  void add_pieces(std::vector<std::int64_t>& borders) const;
  std::unique_ptr<Writer> with_rows(const std::vector<std::int64_t>& rows) const;
  std::vector<std::int64_t> hashed_rows(int node) const;
  std::vector<std::int64_t> even_rows(std::int64_t owned, std::int64_t slots) const;

  const Writer* writer_;
  const ReplicaMap* replicas_;
  std::size_t nodes_;
  std::int64_t first_bucket_ = 0;
  std::vector<Piece> pieces_{};
  std::vector<std::size_t> first_piece_{};  // of every bucket; and the end
  std::vector<std::size_t> sources_{};      // by bucket
  std::vector<Share> shares_{};             // by bucket and node
  std::vector<std::int64_t> rows_{};        // by piece and node
  bool even_ = false;
  std::vector<std::int64_t> even_slots_{};  // by node, where that is so
  std::int64_t even_slots_of_all_ = 0;
};

}  // namespace windrow
