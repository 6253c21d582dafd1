#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/bytes/stored_row.h"
#include "sim/content/cohort.h"
#include "sim/content/keyed_content.h"
#include "sim/workload/table_workload.h"

namespace windrow {

/// When a row was written.
struct RowDates {
  Micros timestamp_us = 0;
  Seconds written_s = 0;
};

/// Makes rows as they lie on disk, one after another: each is valid until the next is made.
class StoredRows {
 public:
  explicit StoredRows(std::int64_t clustering_bytes) { row_.clustering.size = clustering_bytes; }

  /// A row of a writer in a state, with the values of row number `g`; without a number all values are empty.
  const StoredRow& of(const Writer& writer, RowState state, std::int32_t ttl_s, const RowDates& dates,
                      std::optional<std::int64_t> g);
  const StoredRow& of(const TableWorkload& workload, const KeyedRow& row);

 private:
  void clear();
  void add_complexes(const Writer& writer, RowState state, std::int32_t ttl_s, const RowDates& dates,
                     std::optional<std::int64_t> g);

  /// The row before was of the same kind: only dates and sizes of values differ.
  void renew(const RowDates& dates, std::optional<std::int64_t> g);

  StoredRow row_{};
  struct Kind {
    const Writer* writer = nullptr;  // null: the row before is of none that comes again
    RowState state = RowState::live;
    std::int32_t ttl_s = 0;
    friend bool operator==(const Kind&, const Kind&) = default;
  } kind_{};
  std::vector<const ColumnWrite*> written_{};  // by cell, of such a row
  std::vector<StoredCell> cells_{};            // simple ones, then those of elements
  std::vector<StoredComplexColumn> complexes_{};
};

class ContentSpace;
class PartitionSink;

/// Shows one partition that is held row by row; works in `rows`, which serve for many partitions.
void walk_partition(const ContentSpace& space, const KeyedPartition& partition, StoredRows& rows, PartitionSink& sink);

}  // namespace windrow
