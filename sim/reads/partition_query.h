#pragma once

#include <cstdint>
#include <limits>

#include "sim/base/units.h"
#include "sim/content/content.h"

namespace windrow {

/// A read of one partition on one replica, newest rows first (SinglePartitionReadCommand, Cassandra 5.0.9).
struct PartitionQuery {
  Seconds now_s = 0;
  Seconds gc_before_s = 0;  // what is dead and dated before is neither counted nor answered (storage rule 4.5)
  std::int64_t from_ms = std::numeric_limits<std::int64_t>::min();  // clustering values [from, to)
  std::int64_t to_ms = std::numeric_limits<std::int64_t>::max();
  std::int64_t limit = 0;  // stops after so many live rows; 0: at the end of the slice
  // only_purge_repaired_tombstones: what is dated at or after the least deletion time of an unrepaired file that is
  // asked, or of a memtable that holds the partition, stays (ReadExecutionController.oldestUnrepairedTombstone).
  bool spares_unrepaired = false;

  bool whole() const {
    return from_ms == std::numeric_limits<std::int64_t>::min() && to_ms == std::numeric_limits<std::int64_t>::max();
  }
};

/// What it costs.
struct PartitionCost {
  std::int64_t sstables = 0;  // that hold the partition and whose clusterings meet the slice
  Rows rows = 0;              // merged ones that were walked over, dead or alive
  Rows live = 0;              // that were found
  std::int64_t tombstones = 0;
  double bytes = 0;  // of the rows, by their files' mean row
};

/// A file, or a memtable, as reads meet it.
struct ReadSource {
  const Content* content = nullptr;
  bool memtable = false;
  Micros max_timestamp_us = 0;
  std::int64_t min_clustering = std::numeric_limits<std::int64_t>::max();  // of all its partitions (coveredClustering)
  std::int64_t max_clustering = std::numeric_limits<std::int64_t>::min();
  // Of a query that spares what is not repaired: the file's first and last token and its least local deletion time; of
  // a memtable see memtable_min_deletion.
  Token first_token = min_token;
  Token last_token = max_token;
  Seconds min_deletion_s = no_deletion_time;
  bool repaired = false;
  double row_bytes = 0;
  double ring_share = 1;  // of keys that lie between its first and last: the filter is asked for them
  double false_positive = 0;

  bool meets(const PartitionQuery& query) const {
    return query.whole() || (min_clustering < query.to_ms && max_clustering >= query.from_ms);
  }
  bool covers(Token token) const { return first_token <= token && token <= last_token; }
};

/// First and last clustering value of a content, in the places above.
void find_clusterings(const ContentSpace& space, const Content& content, ReadSource& source);

/// AbstractMemtable.minLocalDeletionTime: the least of its updates' EncodingStats, where one that neither expires nor
/// deletes has their epoch.
Seconds memtable_min_deletion(const ContentSpace& space, const Content& memtable);

}  // namespace windrow
