#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "sim/load/hourly.h"
#include "sim/load/writer_load.h"
#include "sim/placement/budget.h"
#include "sim/ring/local_ranges.h"
#include "sim/scenario/cluster_ring.h"
#include "sim/scenario/scenario.h"

namespace windrow {

/// What is written to every node of a scenario, hour by hour, in whole rows, from where the hashes of its partition
/// keys put them. Rows that statements write, at the time at which they arrive; deletes are not counted. Nodes are
/// numbers from 0, one data centre after the other.
class ClusterLoad {
 public:
  /// The scenario names data centres, and outlives it. Throws what scenario_workload throws.
  explicit ClusterLoad(const Scenario& scenario);
  ClusterLoad(const ClusterLoad&) = delete;
  ClusterLoad& operator=(const ClusterLoad&) = delete;

  /// Nodes of which one run tells all: those that hold the same partitions, or are said to be alike. In node order;
  /// the first of each stands for it.
  std::vector<std::vector<int>> alike_nodes() const;
  /// What is written to one node of a table: partitions and rows of each bucket as the hashes of its keys give them.
  /// Of nodes that are alike in a data centre: the mean node's. It is one thread's, and this outlives it.
  TableWorkload workload(int table, int node) const;

  /// What a node holds of the ring, by table; null where it holds all, and where not every key of the table is hashed.
  std::vector<std::shared_ptr<const LocalRanges>> local_ranges(int node) const;

  const Hours& hours() const { return hours_; }
  int nodes() const { return static_cast<int>(places_.size()); }
  const NodePlace& place(int node) const { return places_[static_cast<std::size_t>(node)]; }
  const ReplicaMap& replicas() const { return replicas_; }
  /// Rows of a table (index in Scenario::tables), and of all.
  const NodeHours& rows(int table) const { return by_table_[static_cast<std::size_t>(table)]; }
  const NodeHours& rows() const { return all_; }
  /// Of a stream that a [read.NAME] asks: its share of what is written in an hour that lies on a node; in hours in
  /// which it writes nothing, of the whole run. All nodes together: 1.
  double stream_share(const std::string& stream, int hour, int node) const;
  /// What requests of one kind ask for at a time.
  struct AskedBuckets {
    Micros from_us = 0;  // those with events in [from, to)
    Micros to_us = 0;
    double newest = 0;  // > 0: so many, from that of `to_us` back; the last one as often as its fraction says
  };
  /// Of a stream that a [read.NAME] asks, every entity as often as another: the replicas on a node of the partitions
  /// that are asked for, over those of `reference` on all nodes; where nothing of that is written, stream_share.
  double read_share(const std::string& stream, const AskedBuckets& asked, const AskedBuckets& reference, int hour,
                    int node) const;
  /// Rows that clients write in each hour, before they are copied.
  const std::vector<std::int64_t>& written() const { return written_; }
  /// A node's rows in an hour over those of its data centre's mean node; nothing in an hour with less than 1 % of its
  /// mean hour's rows.
  std::optional<double> over_mean(int hour, int node) const;

  /// What a node was written over the run's hours.
  struct NodeNumbers {
    double mean_per_s = 0;
    double p99_per_s = 0;  // of the hours
    double max_per_s = 0;
    int max_hour = 0;
    double max_over_mean = 0;
    int worst_hour = 0;  // in which that was
  };
  NodeNumbers numbers(int node) const;

  /// What brought a node the most rows in an hour: a class of entities, or, of an entity by itself, a partition.
  struct Cause {
    const WriterSpec* spec = nullptr;
    const Writer* writer = nullptr;
    std::int64_t rows = 0;  // of the class, or of the entity
    std::optional<WriterLoad::Busiest> partition{};
  };
  std::optional<Cause> cause(int hour, int node) const;

  /// How well it is known who holds what.
  struct Known {
    std::int64_t entities = 0;
    std::int64_t keys = 0;  // partitions of all buckets
    std::int64_t rows = 0;  // before they are copied
  };
  const Known& known(PlacementKind kind) const { return known_[static_cast<std::size_t>(kind)]; }
  std::int64_t hashed_keys() const { return hashed_keys_; }
  /// One standard deviation by which the buckets of a node may differ from what is said of keys that are not hashed, as
  /// a share of all rows of the mean node.
  double rest_deviation() const { return rest_deviation_; }

 private:
  struct Placed {
    WriterLoad load;
    const WriterSpec* spec = nullptr;
    int table = 0;
    bool named = false;
    PlacementPlan plan{};
    std::unique_ptr<NodeShares> shares{};  // null: all nodes of every data centre hold the same
  };
  /// Partitions of one writer that are asked for, each counted on every node that has it: a node's, and all.
  std::pair<double, double> asked_of(const Placed& placed, const AskedBuckets& asked, int node) const;
  void place_writers(const Scenario& scenario);
  void count_known();
  bool same(int node, int other) const;
  bool cut_alike(int node, int other) const;
  bool held_row_by_row(const Placed& placed) const;
  /// `on_lattice`: with as many partitions in every bucket (run.exact_partitions).
  TableWorkload placed_workload(int table, int node, bool on_lattice) const;
  void add(const Placed& placed, int number, std::uint64_t seed, NodeHours& of_writer);
  void make_alike(const Scenario& scenario);

  const Scenario* scenario_;
  Hours hours_{};
  std::vector<NodePlace> places_{};
  std::vector<int> nodes_in_{};  // by data centre
  ReplicaMap replicas_;
  std::vector<TableWorkload> workloads_{};
  std::deque<Placed> writers_{};
  std::vector<NodeHours> by_table_{};
  NodeHours all_{};
  struct StreamRows {
    NodeHours rows{};
    Eigen::Array<std::int64_t, 1, Eigen::Dynamic> of_node{};  // in all hours
  };
  std::map<std::string, StreamRows> by_stream_{};  // those that are read
  NodeHours most_{};                               // rows of the writer that brings most
  NodeHours most_writer_{};                        // its number; -1: none
  std::vector<std::int64_t> written_{};
  Eigen::ArrayXXd center_rows_{};      // of all nodes of a data centre: hours × data centres
  Eigen::ArrayXd center_mean_hour_{};  // of the mean hour
  std::array<Known, 3> known_{};
  std::int64_t hashed_keys_ = 0;
  double rest_deviation_ = 0;
};

}  // namespace windrow
