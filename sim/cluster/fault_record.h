#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/scenario.h"

namespace windrow {

// What outages and repairs did to the replicas of a scenario: what a run with them leaves besides its nodes' records.
// Nodes are numbers from 0.

/// A time in which nothing reached a node; outages that overlap are one.
struct OutageTime {
  std::string name{};  // of the first of them
  int node = 0;
  Micros from_us = 0;
  Micros to_us = 0;  // may lie beyond the run's end
  OutageSpec::Kind kind = OutageSpec::Kind::down;
  OutageSpec::Ends ends = OutageSpec::Ends::returns;  // replaced if that is how one of them ends
  bool joined = false;
};

/// What one step of a repair cost a node: bytes of Data.db on disk.
struct RepairCost {
  Bytes hashed_bytes = 0;         // read by validation
  Bytes sent_bytes = 0;           // streamed to others
  Bytes anticompacted_bytes = 0;  // written where files were divided
};

/// What streams of whole leaves hold: of each file of the sender the partitions that differ, and those in a leaf with
/// them.
struct StreamedLeaves {
  Rows rows = 0;    // and deletes
  Bytes bytes = 0;  // of Data.db
  std::int64_t sstables = 0;
  bool expected = false;      // neighbours are not looked for one by one: their number is what is to be expected
  bool arrives_whole = true;  // else only what the receiver lacks reaches its disk
  StreamedLeaves& operator+=(const StreamedLeaves& other) {
    rows += other.rows;
    bytes += other.bytes;
    sstables += other.sstables;
    expected = expected || other.expected;
    arrives_whole = arrives_whole && other.arrives_whole;
    return *this;
  }
};

/// What a node that took another's place was sent of one table.
struct Replacement {
  std::string outage{};
  int table = 0;
  int node = 0;
  Micros at_us = 0;
  std::vector<int> sources{};  // nodes that sent something
  Rows rows = 0;
  Bytes bytes = 0;  // of the files that it got, on disk
  std::int64_t sstables = 0;
};

/// What one step of a repair did for one table on one node.
struct RepairStep {
  enum class Outcome { done, refused, failed };  // refused: a node was away at its beginning; failed: before its end
  std::string repair{};
  int table = 0;
  int node = 0;
  Micros begin_us = 0;
  Micros end_us = 0;  // of one that is refused: its beginning
  Rows rows = 0;      // that the node received and lacked; of rows that are held one by one all that it received
  Bytes bytes = 0;    // of the files that it received, on disk
  std::int64_t sstables = 0;
  std::optional<Seconds> margin_s{};  // gc_grace less the time from the beginning of the one before to this one's end
  Outcome outcome = Outcome::done;
  std::optional<int> ranges_of{};  // the node whose ranges they are; none: each node's own, all at once
  std::int64_t subrange = 0;       // of these, from 0
  Micros cycle_us = 0;             // when the cycle of all nodes began
  RepairCost cost{};
  StreamedLeaves leaves_received{};  // also rows that the node has already; its files, if they arrive whole
  StreamedLeaves leaves_sent{};
  /// One of a cycle's lines for a node's own ranges.
  bool is_own() const { return !ranges_of || *ranges_of == node; }
};

/// What all repairs of a table together cost one node.
struct NodeRepairs {
  int table = 0;
  int node = 0;
  bool incremental = false;
  std::int64_t received_sstables = 0;
  std::int64_t received_at_once = 0;          // the most of one step
  Bytes received_bytes = 0;                   // on disk
  std::int64_t compacted_sstables = 0;        // of those, that a compaction has taken
  Seconds compacted_after_s = 0;              // in the mean
  std::int64_t most_compactions_waiting = 0;  // as one that took some of them began, itself among them
  // Windows (TWCS) that SSTables were sent into, until they have no more SSTables than they had:
  std::int64_t windows_touched = 0;
  std::int64_t windows = 0;      // that were live, at most
  Seconds window_touched_s = 0;  // in the mean
  std::int64_t windows_touched_at_end = 0;
  // Of incremental repairs:
  std::int64_t divided_sstables = 0;  // by anticompaction
  std::int64_t made_sstables = 0;     // that took their place
  Bytes anticompacted_bytes = 0;      // of these
  double repaired_mean = 0;           // shares of Data.db, at all samples
  double pending_mean = 0;
  double repaired_at_end = 0;
  bool any() const { return received_sstables > 0 || divided_sstables > 0 || repaired_mean > 0 || pending_mean > 0; }
  friend bool operator==(const NodeRepairs&, const NodeRepairs&) = default;
};

/// Ranges that nodes repair in turn, and that none has repaired lately: the time until the run's end counts as if a
/// repair ended with it.
struct OpenRepair {
  std::string repair{};
  int table = 0;
  Seconds margin_s = 0;
};
std::string_view outcome_name(RepairStep::Outcome outcome);

/// What became of rows whose delete a replica missed. In this order one is worse than the one before.
enum class SuspectState {
  healed,     // the delete came in time
  stale,      // at the end the delete is missing, and others still bring it to reads that compare
  visible,    // gc_grace had passed: reads that compare returned the row
  spread,     // a replica that had forgotten the delete got the row
  permanent,  // no replica stores the delete any more, and one shows the row
};
std::string_view state_name(SuspectState state);

/// What reads of one kind wrote to a node that lacked it.
struct ReadRepair {
  std::string read{};
  int table = 0;
  int node = 0;
  Rows rows = 0;  // and deletes
  Micros first_us = 0;
  Micros last_us = 0;
  friend bool operator==(const ReadRepair&, const ReadRepair&) = default;
};

/// Rows next to each other, of one stream, that had the same history.
struct SuspectRows {
  SuspectState state = SuspectState::stale;
  int table = 0;
  int writer = 0;  // by place among the scenario's writers of the table
  Rows rows = 0;
  Micros written_from_us = 0;
  Micros written_to_us = 0;
  Micros deleted_from_us = 0;
  Micros deleted_to_us = 0;
  std::vector<int> missed_by{};
  std::string why{};               // the outage
  std::optional<int> purged_on{};  // the first replica that forgot the delete
  std::optional<Micros> purged_at_us{};
  std::string brought_by{};  // what copied the row; of healed ones, what brought the delete
  std::vector<int> brought_to{};
  std::optional<Micros> brought_at_us{};
  std::optional<Micros> until_us{};  // when it ended: the delete came, or the row expired
  Seconds margin_s = 0;              // from its end (else the copy, else the run's end) to the first purge, or gc_grace
  Micros safe_until_us = 0;          // gc_grace has passed since the first of the deletes: reads may return its row
  bool hinted = false;               // the delete came as a hint

  friend bool operator==(const SuspectRows&, const SuspectRows&) = default;
};

/// A replica forgot deletes: a compaction purged their tombstones.
struct PurgeTime {
  int table = 0;
  int node = 0;
  Micros at_us = 0;
  Rows rows = 0;
  Micros deleted_from_us = 0;
  Micros deleted_to_us = 0;
};

/// How far one value can go until deleted rows come back, found by playing the scenario with others of a grid: above
/// it (the time between repairs), or below it (gc_grace).
struct SafeBound {
  enum class Of { repair_interval, gc_grace };
  Of of = Of::repair_interval;
  int table = 0;
  std::string key{};                  // repair.NAME.every, table.NAME.gc_grace_seconds
  std::string assignments{};          // that set it to `safe_s`, as arguments of the program
  std::optional<Seconds> safe_s{};    // no row comes back, and no repair is late; none: with no value of the grid
  std::optional<Seconds> unsafe_s{};  // its neighbour in the grid; none: all are safe
  Rows rows = 0;                      // that come back with that; 0: by luck, for repairs are too far apart
  bool fell_out = false;              // with that a repair is refused or fails
  Seconds first_s = 0;                // ends of the grid
  Seconds last_s = 0;
  int runs = 0;  // that were played
  struct Tried {
    Seconds value_s = 0;
    bool safe = false;
    friend bool operator==(const Tried&, const Tried&) = default;
  };
  std::vector<Tried> tried{};            // ascending
  std::vector<Seconds> safe_beyond_s{};  // of these, beyond an unsafe one: then it is no border
  friend bool operator==(const SafeBound&, const SafeBound&) = default;
};

struct FaultRecord {
  int nodes = 1;
  int recorded_node = 0;  // whose disk and compactions the other results are about
  std::vector<OutageTime> outages{};
  std::vector<Replacement> replacements{};  // in the order of time
  std::vector<RepairStep> repairs{};
  std::vector<NodeRepairs> node_repairs{};  // by node, then table
  std::vector<ReadRepair> read_repairs{};   // by read, then node
  std::vector<OpenRepair> open_repairs{};   // of repairs whose steps are not of whole nodes
  std::vector<SuspectRows> suspects{};      // the ledger
  std::vector<PurgeTime> purges{};          // of deletes that some replica missed
  std::vector<char> has_deletes{};          // by table
  std::vector<Seconds> gc_grace_s{};        // by table, at the end
  std::string prevented_by{};               // the smallest single change that was tried and left no row to come back
  std::vector<SafeBound> safe_bounds{};     // by table; empty: not searched
  std::string safe_bounds_note{};           // why some are not there

  /// Rows of these states; of healed ones those that a hint healed are left out.
  Rows rows(SuspectState state, int table = -1) const;
  Rows resurrected(int table = -1) const;
  /// The delete missed them, and no hint brought it.
  Rows suspected(int table = -1) const;
  /// The least margin of the repairs of a table, the time since the last one counted as if one ended with the run;
  /// nothing where none repairs it.
  std::optional<Seconds> repair_margin_s(const Scenario& scenario, int table = -1) const;
  /// How long a step of the repair took at most, or what the scenario gives the whole; a second begun is one.
  Seconds longest_repair_s(const RepairSpec& spec) const;
};

}  // namespace windrow
