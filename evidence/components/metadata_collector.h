#pragma once

#include <cstdint>

#include "sim/base/units.h"
#include "sim/bytes/stored_row.h"
#include "sim/stats/drop_times.h"
#include "sim/stats/estimated_histogram.h"

namespace windrow {

/// StatsMetadata: what an SSTable knows about itself (rules 1.1 to 1.5).
struct SSTableStatistics {
  std::int64_t partitions = 0;
  Rows rows = 0;             // with non-empty static rows
  std::int64_t columns = 0;  // totalColumnsSet: a collection of a row counts once
  std::int64_t cells = 0;
  Micros min_timestamp_us = std::numeric_limits<std::int64_t>::min();
  Micros max_timestamp_us = std::numeric_limits<std::int64_t>::max();
  Seconds min_local_deletion_time_s = no_deletion_time;
  Seconds max_local_deletion_time_s = no_deletion_time;
  std::int64_t min_ttl_s = 0;
  std::int64_t max_ttl_s = 0;
  EstimatedHistogram partition_sizes{EstimatedHistogram::partition_size_offsets};
  EstimatedHistogram cells_per_partition{EstimatedHistogram::cell_count_offsets};
  DropTimes drop_times{};
};

/// MetadataCollector, Cassandra 5.0.9 (rule 1.1). The order of calls is that of the rows: drop times depend on it.
class MetadataCollector {
 public:
  void deletion(const DeletionTime& deletion);
  void static_row(const StoredRow& row);
  void row(const StoredRow& row);
  void marker(const StoredMarker& marker);
  void end_partition(Bytes partition_bytes);

  /// Cells of the partition that is being written.
  std::int64_t partition_cells() const { return partition_cells_; }
  std::int64_t partition_tombstone_cells() const { return partition_tombstone_cells_; }

  /// What was collected; the collector is as new afterwards.
  SSTableStatistics finish();

 private:
  // MinMaxLongTracker: its defaults show only if nothing was seen.
  struct Extremes {
    std::int64_t min = std::numeric_limits<std::int64_t>::max();
    std::int64_t max = std::numeric_limits<std::int64_t>::min();
    void see(std::int64_t value) {
      min = std::min(min, value);
      max = std::max(max, value);
    }
    bool seen() const { return min <= max; }
  };
  void liveness(const LivenessInfo& liveness);
  void cell(const StoredCell& cell);
  void contents(const StoredRow& row);

  Extremes timestamps_us_{};
  Extremes local_deletion_times_s_{};
  Extremes ttls_s_{};
  SSTableStatistics statistics_{};
  DropTimesBuilder drop_times_{};
  std::int64_t partition_cells_ = 0;
  std::int64_t partition_tombstone_cells_ = 0;
};

}  // namespace windrow
