#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/cluster/fault_record.h"
#include "sim/cluster/keyed_ledger.h"
#include "sim/cluster/replica_rows.h"
#include "sim/cluster/suspect_history.h"

namespace windrow {

/// Follows rows whose delete some replica missed: who shows the row, who stores the delete, who forgot it first, what
/// copied the row, and how it ended. Sets of rows with one history are kept together and divided when histories part.
/// What replicas hold is read from their contents; nothing is assumed.
class Ledger {
 public:
  /// At most 64 replicas. What it is given outlives it.
  explicit Ledger(const std::vector<TableReplicas>& tables);

  /// The node missed what came in [from, until). Asked again when it has got some of it: rows that it shows, and whose
  /// delete it still lacks, are suspect from then on.
  void missed(int node, Micros from_us, Micros until_us, Micros now_us, const std::string& why);
  /// Deletes of [from, now) that the node lost though it was up (SubStream::lost_by).
  void lost(int node, Micros from_us, Micros now_us);
  /// The node had lost all that it held, and has got these rows, in the cluster's numbers, from others.
  void replaced(int node, int table, Micros now_us, std::vector<Cohort> rows);
  /// Rows, in the cluster's numbers, that hints or a repair have brought to nodes.
  struct Brought {
    int node = 0;
    std::vector<Cohort> rows{};
  };
  void received(int table, Micros now_us, const std::string& what, bool hints, std::span<const Brought> brought);
  /// A compaction of the node has taken `removed` and made `added`. Nodes are played one after the other: what they
  /// tell is kept until settle().
  void compacted(int node, int table, std::span<const SSTablePtr> removed, std::span<const SSTablePtr> added,
                 Micros now_us);
  /// All files of a table have left the node.
  void gone(int node, int table, Micros now_us, std::string_view why);
  /// All nodes have been played until now: takes what they told, in the order of time.
  void settle();

  /// The lines, in the order of tables, streams and rows; the run has ended.
  std::vector<SuspectRows> finish(Micros end_us);
  std::vector<PurgeTime> purges() const;
  bool has_deletes(int table) const;

 private:
  using Mask = SuspectHistory::Mask;

  struct Line : SuspectHistory {
    Cohort rows{};  // of the target, in the cluster's numbers
  };
  struct Purge {
    int node = 0;
    Micros at_us = 0;
    std::vector<Cohort> rows{};
    std::vector<Cohort> still_stored{};  // of these rows
    bool gone = false;                   // all rows of the node
    std::string what{"compaction"};
  };
  struct Deletes {
    int table = 0;
    int tombstones = 0;
    int target = 0;
    std::vector<Line> lines{};
    std::vector<Purge> purges{};
    std::vector<std::vector<Purge>> told{};  // by node, since the nodes were last at one time; in their own numbers
  };

  const TableReplicas& replicas(const Deletes& deletes) const {
    return tables_[static_cast<std::size_t>(deletes.table)];
  }
  const TableStore& store(int node, const Deletes& deletes) const { return replicas(deletes).store(node); }
  const ContentSpace& space(const Deletes& deletes) const { return replicas(deletes).space(); }
  Seconds gc_grace_s(const Deletes& deletes) const;
  std::optional<Seconds> ttl_s(const Deletes& deletes) const;

  bool is_lost_by(const Deletes& deletes, int node) const;
  /// Deletes of [from, until).
  void add_missed(Deletes& deletes, int node, std::pair<Micros, Micros> time_us, Micros now_us, const std::string& why,
                  bool was_away);
  /// Divides lines at what time alone has changed: gc_grace has passed, rows have expired.
  void pass_time(const Deletes& deletes, std::vector<Line>& lines, Micros now_us) const;
  /// Divides `lines` by what the replica holds, and takes it down.
  void look(const Deletes& deletes, int node, std::vector<Line>& lines) const;
  void take(Deletes& deletes, const Purge& purge) const;
  /// Neighbours with one history; in the order of rows, as they come.
  static std::vector<Line> joined(std::vector<Line> lines);
  /// The same where replica sets have histories of their own.
  static std::vector<Line> joined_over_sets(std::vector<Line> lines);
  SuspectRows described(const Deletes& deletes, const Line& line, Micros end_us) const;

  const std::vector<TableReplicas>& tables_;
  std::vector<Deletes> all_{};
  std::vector<KeyedLedger> keyed_{};  // of tables with rows that are held one by one
};

}  // namespace windrow
