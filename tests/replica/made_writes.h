#pragma once

#include "sim/replica/replica.h"

namespace windrow::test {

/// A table whose values are numbers; gc_grace in seconds.
inline ReplicaTable made_table(Seconds gc_grace_s = 1000) {
  return {.gc_grace_s = gc_grace_s,
          .only_purge_repaired = false,
          .read_repair = true,
          .anticompaction_group = 2,
          .values = [](const KeyedCell& a, const KeyedCell& b) {
            return a.row_number < b.row_number ? -1 : a.row_number > b.row_number ? 1 : 0;
          }};
}

/// One row with liveness and a value of column 0.
inline KeyedPartition value(Token token, std::int64_t clustering, Micros timestamp_us, std::int64_t number) {
  KeyedPartition partition{.token = token};
  KeyedRow row{.clustering = clustering};
  row.liveness = KeyedLiveness{.timestamp_us = timestamp_us};
  row.cells.push_back({.column = 0, .timestamp_us = timestamp_us, .row_number = number});
  partition.rows.push_back(std::move(row));
  return partition;
}

inline KeyedPartition row_delete(Token token, std::int64_t clustering, Micros timestamp_us, Seconds deleted_s) {
  KeyedPartition partition{.token = token};
  KeyedRow row{.clustering = clustering};
  row.deletion = Deletion{.timestamp_us = timestamp_us, .local_deletion_time_s = deleted_s};
  partition.rows.push_back(std::move(row));
  return partition;
}

inline KeyedPartition range_delete(Token token, std::int64_t from, std::int64_t to, Micros timestamp_us,
                                   Seconds deleted_s) {
  KeyedPartition partition{.token = token};
  partition.ranges.push_back(
      {.from = from, .to = to, .deletion = {.timestamp_us = timestamp_us, .local_deletion_time_s = deleted_s}});
  return partition;
}

}  // namespace windrow::test
