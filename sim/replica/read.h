#pragma once

#include <span>
#include <vector>

#include "sim/replica/difference.h"
#include "sim/replica/replica.h"

namespace windrow {

// Reads of one partition: ReadCommand.withoutPurgeableTombstones and DataResolver, Cassandra 5.0.9.

/// How many replicas a read asks.
struct ReplicasAsked {
  int all = 1;                        // of all data centres together
  std::vector<int> most_of_center{};  // of each data centre, by number; empty: no bound
};

/// Which of the replicas (in ring order from the token) a coordinator asks: itself, then the live ones of its data
/// centre in that order, then those of others; fewer where too few live. `order` and the answer are nodes by number,
/// `center_of` has the data centre of each (ReplicaPlans.contactForRead and contactForEachQuorumRead, Cassandra 5.0.9).
std::vector<int> contacted(std::span<const int> order, const std::vector<bool>& live, std::span<const int> center_of,
                           int coordinator, const ReplicasAsked& asked);
/// The same of one data centre.
std::vector<int> contacted(std::span<const int> order, const std::vector<bool>& live, int coordinator, int block_for);

/// From when on a tombstone of this replica survives its reads of the partition: gc_grace ago, and with
/// only_purge_repaired_tombstones the least deletion time of what is not repaired.
/// `whole_table`: of a range read, which looks at every file.
Seconds read_gc_before_s(const Replica& replica, const ReplicaTable& table, Token token, bool whole_table,
                         Seconds now_s, const ReplicaRules& rules);

/// What one replica answers: merged, and purged with "always true".
KeyedPartition answer(const Replica& replica, const ReplicaTable& table, Token token, bool whole_table, Seconds now_s,
                      const ReplicaRules& rules);

/// What a client sees of the merged answers: rows with something alive, and only that.
std::vector<KeyedRow> live_rows(const KeyedPartition& merged, Seconds now_s);

/// What each of these answers lacks of all of them together; each is empty where they are alike.
std::vector<KeyedPartition> lacking(std::span<const KeyedPartition> answers, const CompareValues& values,
                                    const IsQueried& queried);

struct ReadResult {
  std::vector<KeyedRow> rows{};
  bool differed = false;
  std::vector<int> repaired{};  // places among the contacts whose replica was written to
};

/// A read that waits for all of `contacts`: answers are compared, merged, and what each lacks is written to it (with
/// read_repair BLOCKING; additional_write_policy is not modelled).
ReadResult read_partition(std::span<Replica* const> contacts, const ReplicaTable& table, Token token, bool whole_table,
                          Seconds now_s, const IsQueried& queried, const ReplicaRules& rules);

}  // namespace windrow
