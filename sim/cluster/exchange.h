#pragma once

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

/// What validations of a table say at this time: contents merged, and purged of all that gc_grace has passed
/// (ValidationManager, PurgeEvaluator `always true`; Cassandra 5.0.9).
std::vector<Difference> differences(std::span<const TableStore* const> replicas, Seconds now_s);

/// What one replica sends another: a file for each file of which it sends something, as it lies on disk, old tombstones
/// included (CassandraStreamManager, Cassandra 5.0.9).
struct Stream {
  int to = 0;
  Content content{};
};
/// Both ways for each difference, from the files as they are now; what the other has is not sent.
std::vector<Stream> streams_of(std::span<const TableStore* const> replicas, std::span<const Difference> differences);

}  // namespace windrow
