#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/replica/merkle.h"

namespace windrow {

// nodetool repair of one table among the replicas of its ranges, Cassandra 5.0.9: flush, (anticompaction,) validation,
// streaming. A step of it each, since time may pass between.

struct RepairRequest {
  std::vector<TokenRange> ranges{};  // each has a tree
  std::int64_t session = 0;          // of an incremental repair; 0: full
};

/// Why a repair of one range is refused: it lies across ranges of the ring, where trees would not be of the same data.
std::optional<std::string> refused_subrange(const TokenRange& asked, std::span<const TokenRange> local);

/// What a replica does first: its memtable becomes a file, and for an incremental repair files become pending. Returns
/// how many files anticompaction rewrote.
std::int64_t prepare_repair(Replica& replica, const ReplicaTable& table, const RepairRequest& repair, Seconds now_s,
                            const ReplicaRules& rules);

/// Hashes what is in scope: everything that meets the ranges, or the session's files.
Validation validate(const Replica& replica, const ReplicaTable& table, const RepairRequest& repair, Seconds now_s,
                    const ReplicaRules& rules);

/// What one file gives to another replica.
struct StreamedFile {
  KeyedContent content{};
  RepairStatus status{};
};

/// The partitions of the leaves, of each file in scope one file, as they lie on disk. Whether whole or a part of it, it
/// keeps the sender's state (StreamMessageHeader.repairedAt and pendingRepair), or belongs to the session.
std::vector<StreamedFile> streams(const Replica& sender, const ReplicaTable& table, const RepairRequest& repair,
                                  std::span<const TokenRange> leaves, Seconds now_s, const ReplicaRules& rules);

/// Every pair whose validations differ streams both ways, from the files as they are now. Validations are in the order
/// of the replicas. Returns how many files were made.
std::int64_t exchange(std::span<Replica* const> replicas, std::span<const Validation> validations,
                      const ReplicaTable& table, const RepairRequest& repair, Seconds now_s, const ReplicaRules& rules);

/// A replaced node's bootstrap: the files of one replica in the ranges, with their state where they go whole.
void bootstrap(Replica& fresh, const Replica& from, std::span<const TokenRange> ranges, const ReplicaTable& table,
               Seconds now_s, const ReplicaRules& rules);

}  // namespace windrow
