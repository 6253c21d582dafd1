#pragma once

#include <span>
#include <utility>
#include <vector>

#include "sim/replica/hints.h"
#include "sim/replica/read.h"
#include "sim/replica/repair.h"

namespace windrow {

/// A node, as far as one table is concerned.
struct ReplicaNode {
  Replica replica{};
  HintStore hints{};
  bool running = true;    // the process
  bool reachable = true;  // others see it up
  Micros down_since_us = 0;
};

/// A table on several nodes, row by row: what a coordinator does with writes, reads and repairs. Nodes are numbers.
class ReplicatedTable {
 public:
  ReplicatedTable(std::size_t nodes, ReplicaTable table, const ReplicaRules& rules)
      : table_(std::move(table)), rules_(rules), nodes_(nodes), center_of_(nodes, 0) {}

  ReplicaTable& table() { return table_; }
  const ReplicaRules& rules() const { return rules_; }
  std::vector<ReplicaNode>& nodes() { return nodes_; }
  ReplicaNode& node(int number) { return nodes_[static_cast<std::size_t>(number)]; }
  const EndedSessions& ended_sessions() const { return ended_; }

  /// The data centre of each node; all are of one unless this says otherwise.
  void place(std::vector<int> center_of) { center_of_ = std::move(center_of); }

  /// A write of one partition: to the replicas that are up, and hints for the others. False, and nothing is written, if
  /// fewer of them are up than a read would ask.
  bool write(const KeyedPartition& mutation, std::span<const int> replicas, int coordinator,
             const ReplicasAsked& wanted, Micros now_us);

  /// Who is asked of the replicas, and what comes back (see read.h).
  std::vector<int> contacts(std::span<const int> replicas, int coordinator, const ReplicasAsked& wanted) const;
  ReadResult read(std::span<const int> replicas, int coordinator, const ReplicasAsked& wanted, Token token,
                  bool whole_table, Seconds now_s, const IsQueried& queried);

  /// Every coordinator that is up sends its hints to every node that is.
  void dispatch_hints(Micros now_us);

  /// The process ends: SIGKILL leaves the memtable to the commit log, SIGTERM flushes it. Hint files are closed.
  void end_process(int node, bool hard, Micros now_us);
  /// It begins again: what the commit log holds is flushed (CommitLogReplayer.blockForWrites).
  void start_process(int node);

  /// Those who take part in a repair among `replicas`; empty where it is refused because one of them is dead.
  /// `force`: dead ones are left out.
  std::vector<int> repair_partners(std::span<const int> replicas, bool force) const;
  /// The number of a new incremental session.
  std::int64_t begin_session() { return ++sessions_; }
  /// The session has ended; `repaired_at_ms` 0: its files become unrepaired again.
  void end_session(std::int64_t session, Millis repaired_at_ms) { ended_[session] = repaired_at_ms; }

 private:
  ReplicaTable table_;
  ReplicaRules rules_;
  std::vector<ReplicaNode> nodes_;
  std::vector<int> center_of_;
  EndedSessions ended_{};
  std::int64_t sessions_ = 0;
};

}  // namespace windrow
