#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "sim/cluster/exchange.h"
#include "sim/cluster/fault_record.h"
#include "sim/cluster/keyed_exchange.h"
#include "sim/cluster/leaf_streams.h"
#include "sim/cluster/ledger.h"
#include "sim/cluster/node_watch.h"
#include "sim/cluster/replica_rows.h"
#include "sim/cluster/ring_rows.h"

namespace windrow {

/// What repairs act on. All of it outlives them.
struct RepairedCluster {
  const Scenario& scenario;
  const RingRows& ring;
  const Replicas& nodes;
  const std::vector<TableReplicas>& tables;
  const std::vector<std::unique_ptr<NodeWatch>>& watches;
  const std::vector<bool>& away;  // by node
  Ledger& ledger;
  FaultRecord& record;
};

/// Refuses (std::invalid_argument) repairs that the engine would.
void refuse_impossible_repairs(const Scenario& scenario);

/// The repairs of a scenario, by number: cycles, and the steps of a cycle, one after the other. A step is one session
/// (ActiveRepairService, Cassandra 5.0.9) of some ranges with all their replicas: of all nodes' ranges (order =
/// together), of one node's, or of the n-th part of each. It hashes when it begins and streams when it ends.
class Repairs {
 public:
  explicit Repairs(const RepairedCluster& cluster);

  /// What comes next of a repair, and when.
  struct Next {
    Micros at_us = 0;
    bool ends = false;  // the step that has begun; else the next one begins
  };
  std::optional<Next> first(int number);
  /// Now.
  std::optional<Next> begin_step(int number);
  std::optional<Next> end_step(int number);
  /// A node has gone: what it takes part in fails, an incremental repair at once.
  void lost(int node);
  /// The run has ended: margins of what has not been repaired since.
  void finish();

 private:
  struct Running {
    std::int64_t next = 0;  // number of the next cycle, from 0
    Micros cycle_us = 0;    // when it began
    std::int64_t step = 0;  // of the cycle
    // of the step that runs
    Micros begin_us = 0;
    std::vector<bool> of_nodes{};                    // whose repair goes on
    std::vector<bool> begun{};                       // whose repair was not refused
    std::map<int, std::vector<Difference>> found{};  // by table
    std::map<int, HashedTrees> trees{};              // the same, where replicas differ
    std::map<int, KeyedValidations> keyed{};         // the same, of rows that are held one by one
    std::map<int, std::int64_t> sessions{};          // by table; of an incremental repair
    std::map<int, std::vector<RepairCost>> costs{};  // by table, then node
    std::vector<Micros> last_begin_us{};  // by what margins are counted for (units), of the last one that succeeded
    std::vector<SharedSets> sets{};       // what a node's repair is of, by node and subrange; empty: all rows
    bool running() const { return std::ranges::find(of_nodes, true) != of_nodes.end(); }
  };

  int count() const { return static_cast<int>(at_.nodes.size()); }
  Node& node(int number) const { return *at_.nodes[static_cast<std::size_t>(number)]; }
  const TableReplicas& table(int t) const { return at_.tables[static_cast<std::size_t>(t)]; }
  const RepairSpec& spec(int number) const { return at_.scenario.repairs[static_cast<std::size_t>(number)]; }
  Running& running(int number) { return running_[static_cast<std::size_t>(number)]; }
  const Running& running(int number) const { return running_[static_cast<std::size_t>(number)]; }

  std::optional<Next> next_cycle(int number, Micros not_before_us);
  std::optional<Next> after_step(int number);
  std::int64_t steps(int number) const;
  /// The node whose ranges the step repairs; none: all nodes at once.
  std::optional<int> node_of_step(int number) const;
  RangesWanted wanted(int number, int of_node, std::int64_t subrange) const;
  std::int64_t subrange_of_step(int number) const { return running(number).step % spec(number).subranges; }
  const SharedSets& sets_of_node(int number, int of_node) const {
    return running(number).sets[static_cast<std::size_t>(of_node * spec(number).subranges + subrange_of_step(number))];
  }
  /// What a node's repair is of, or that of all nodes of which it goes on; null: all rows.
  SharedSets sets_of_step(int number) const;
  /// The node holds something that the repair of `of_node` is of.
  bool takes_part(int number, int of_node, int other) const;
  bool refuses(int number, int of_node) const;
  bool meets_another_session(int number) const;
  /// Flushes and hashes a table; returns the bytes that were read.
  double hash(int number, int t);
  void begin_session(int number, int t);
  void end_sessions(int number, bool succeeded);
  /// Trees of the ranges that the step hashes.
  std::vector<TokenRange> ranges_hashed(int number) const;
  Bytes hashed_bytes(int t, int of_node, const RepairScope& scope) const;
  RepairScope scope(int number, int t) const;
  /// What margins are counted for: a node's subrange, or each part of the ring where nodes take turns.
  std::vector<std::size_t> units(int number, int of_node) const;
  Seconds margin_s(int number, int t, int of_node, Micros end_us) const;
  RepairStep line(int number, int t, int of_node) const;
  void refused_lines(int number);
  void stream(int number, int t, std::vector<RepairStep>& lines);
  /// A file of it is made on the node that it is sent to.
  void deliver(int t, Stream stream, std::vector<RepairStep>& lines, std::vector<std::vector<SSTablePtr>>& files);
  /// What differs goes with the leaves that it lies in; where these do not arrive whole, alone.
  std::vector<Stream> streams(int number, int t, std::vector<RepairStep>& lines);

  RepairedCluster at_;
  std::vector<Running> running_{};
  std::map<int, TokenIndex> tokens_{};  // by table, of the cluster's writers
  std::int64_t sessions_ = 0;
};

}  // namespace windrow
