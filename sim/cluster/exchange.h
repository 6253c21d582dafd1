#pragma once

#include <span>
#include <utility>
#include <vector>

#include "sim/cluster/replica_rows.h"

namespace windrow {

/// Rows of a sub-stream, and the deletes of these rows, in which two replicas differ.
struct Difference {
  int sub_stream = 0;
  int tombstones = -1;  // the sub-stream of their deletes; -1: none
  int one = 0;
  int other = 0;
  std::vector<Cohort> rows{};  // disjoint
};

/// What a step of a repair looks at.
struct RepairScope {
  SharedSets sets{};         // rows of these alone; null: all
  std::int64_t session = 0;  // of an incremental repair: files of it alone; 0: all files
};

/// What validations of a table say at this time: contents merged, and purged of all that gc_grace has passed
/// (ValidationManager, PurgeEvaluator `always true`; Cassandra 5.0.9). Rows are in the cluster's numbers; of these two
/// replicas each holds every one.
std::vector<Difference> differences(const TableReplicas& replicas, Seconds now_s, const RepairScope& scope);

/// What one replica sends another: a file for each file of which it sends something, as it lies on disk, old tombstones
/// included (CassandraStreamManager, Cassandra 5.0.9).
struct Stream {
  int from = 0;
  int to = 0;
  Content content{};  // in the numbers of who receives it
  RepairStatus status{};
  std::vector<Cohort> lacking{};  // of it what the receiver does not have yet, in the cluster's numbers; each row once
};
/// What is sent of a file, `rows` in the cluster's numbers: of a session all belong to it; else it keeps the state of
/// the sender's file (StreamMessageHeader.repairedAt and pendingRepair), whether all of it is sent or a part.
Stream stream_of(const TableReplicas& replicas, const std::pair<int, int>& from_to, const SSTable& file,
                 std::vector<Cohort> rows, const RepairScope& scope);
/// Tells of all that is sent at one time what is lacking.
void find_lacking(const TableReplicas& replicas, std::span<Stream> streams);

/// What is sent where neighbours in the leaves are left out: both ways for each difference, from the files as they are
/// now; what the other has, in whatever file, is not sent.
std::vector<Stream> streams_of(const TableReplicas& replicas, std::span<const Difference> differences,
                               const RepairScope& scope);

/// Rows that a replica should have when a repair ends: of what differed, what the other's files hold.
struct Owed {
  int to = 0;
  int sub_stream = 0;
  std::vector<Cohort> rows{};
};
/// To be asked before anything is sent; and, when it has been, the run stops unless all of it is there.
std::vector<Owed> owed_by_repair(const TableReplicas& replicas, std::span<const Difference> differences,
                                 const RepairScope& scope);
void check_repaired(const TableReplicas& replicas, std::span<const Owed> owed);

}  // namespace windrow
