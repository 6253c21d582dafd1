#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "evidence/components/metadata_collector.h"
#include "sim/bytes/serialization_header.h"

namespace windrow {

/// The block `sstablemetadata` prints for a histogram: Util.TermHistogram, Cassandra 5.0. Buckets that are filled, each
/// an offset and a count.
using FilledBuckets = std::vector<std::pair<std::int64_t, std::int64_t>>;
FilledBuckets filled_buckets(const EstimatedHistogram& histogram);
FilledBuckets filled_buckets(const DropTimes& times);

std::string partition_size_block(const FilledBuckets& buckets, bool unicode = false);
std::string column_count_block(const FilledBuckets& buckets, bool unicode = false);
/// Its percentiles come from a second binning and lie far from the bins, on a real node too.
std::string drop_time_block(const FilledBuckets& buckets, bool unicode = false);

/// Everything `sstablemetadata` prints of one SSTable.
struct SSTableMetadata {
  std::string path{};  // without -Data.db
  double fp_chance = 0.01;
  std::string compressor = "-";     // class name
  double compression_ratio = -1.0;  // printed if there is a compressor
  std::string first_token{};        // "-4069959284402364209 (1)"
  std::string last_token{};
  std::string covered_clusterings{};  // "[0, 5]"
  double droppable_tombstones = 0;
  int level = 0;
  std::string originating_host_id{};
  std::string replay_positions{};
  SSTableStatistics statistics{};
  EncodingStats encoding_stats{};
  std::int64_t cardinality = 0;
  std::string key_type{};
  std::string clustering_types{};  // "[...]"
  std::string static_columns{};    // "name:type, name:type"
  std::string regular_columns{};
};
std::string sstablemetadata_text(const SSTableMetadata& metadata, bool unicode = false);

}  // namespace windrow
