#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/units.h"
#include "sim/stats/drop_times.h"
#include "sim/stats/estimated_histogram.h"

namespace windrow {

/// The cheap part of an SSTable's statistics (rule 1.1): extremes and counts.
struct FileExtremes {
  Bytes uncompressed_bytes = 0;
  Rows rows = 0;           // with static ones
  Rows static_rows = 0;    // those that are not empty
  std::int64_t cells = 0;  // columns set: all elements of a collection are one
  std::int64_t partitions = 0;
  Bytes key_bytes = 0;  // of all partitions
  Micros min_timestamp_us = no_timestamp;
  Micros max_timestamp_us = INT64_MIN;
  Seconds min_local_deletion_time_s = no_deletion_time;
  Seconds max_local_deletion_time_s = INT64_MIN;
  std::int64_t min_ttl_s = INT64_MAX;
  std::int64_t max_ttl_s = INT64_MIN;

  void feed_timestamp(Micros us) {
    min_timestamp_us = std::min(min_timestamp_us, us);
    max_timestamp_us = std::max(max_timestamp_us, us);
  }
  void feed_deletion_time(Seconds s) {
    min_local_deletion_time_s = std::min(min_local_deletion_time_s, s);
    max_local_deletion_time_s = std::max(max_local_deletion_time_s, s);
  }
  void feed_ttl(std::int64_t s) {
    min_ttl_s = std::min(min_ttl_s, s);
    max_ttl_s = std::max(max_ttl_s, s);
  }
  /// The tracker's default where neither liveness nor cell was fed (storage rule 1.2).
  void settle_ttl() {
    if (min_ttl_s == INT64_MAX) min_ttl_s = max_ttl_s = 0;
  }
};

/// The dear part: one entry per partition, computed only when a rule or a report asks.
struct FileHistograms {
  EstimatedHistogram partition_sizes{EstimatedHistogram::partition_size_offsets};
  EstimatedHistogram cells{EstimatedHistogram::cell_count_offsets};
  DropTimes drop_times{};
  std::vector<Token> tokens{};           // of the partitions, ascending
  std::vector<Bytes> partition_bytes{};  // same order
};

/// What a look at every row finds.
using ByRows = std::pair<FileExtremes, FileHistograms>;

}  // namespace windrow
