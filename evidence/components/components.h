#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "sim/base/units.h"
#include "sim/bytes/serialization_header.h"

namespace windrow {

// Sizes of an SSTable's files beside Data.db, Filter.db (stats/bloom_filter.h) and the exact BTI indexes
// (evidence/components/bti_index.h): storage rules 1.12 to 1.15, Cassandra 5.0.9.

/// One entry of Index.db (BIG).
Bytes index_entry_bytes(std::int64_t key_bytes, Bytes position, Bytes promoted_index_bytes);

/// Entries of Summary.db: partitions 0, m, 2m, ... with m = min_index_interval.
constexpr std::int64_t summary_entries(std::int64_t partitions, std::int64_t min_index_interval) {
  return (partitions + min_index_interval - 1) / min_index_interval;
}
/// Summary.db (BIG). `entry_key_bytes`: all keys of the entries together.
Bytes summary_bytes(std::int64_t entries, std::int64_t entry_key_bytes, std::int64_t first_key_bytes,
                    std::int64_t last_key_bytes);

/// CRC.db of an uncompressed table: one checksum per 64 KiB; a compaction adds one where the last chunk is not full.
Bytes crc_bytes(Bytes data_bytes, bool compacted);

/// CompressionInfo.db. `compressor`: simple class name; `other_options`: of the table's compression map, without class
/// and chunk_length_in_kb.
Bytes compression_info_bytes(Bytes uncompressed_bytes, Bytes chunk_bytes, std::string_view compressor = "LZ4Compressor",
                             const std::map<std::string, std::string>& other_options = {});

Bytes toc_bytes(SSTableFormat format, bool compressed, bool has_filter);

/// Digest.crc32: the checksum (CRC-32 of IEEE 802.3) of Data.db as decimal text.
Bytes digest_bytes(std::string_view data);
/// Its length for three checksums in four, where the bytes of Data.db are not known.
inline constexpr Bytes usual_digest_bytes = 10;

/// Partitions.db (BTI) of partitions whose keys are not listed; within a few percent of PartitionIndex
/// (bytes/bti_index.h).
Bytes partitions_db_estimate(std::int64_t partitions, Bytes data_bytes, std::int64_t first_key_bytes,
                             std::int64_t last_key_bytes);

/// What one partition of at least two blocks of 16 KiB adds to Rows.db (BTI) where its clusterings are not listed: for
/// clusterings that grow with time, without range tombstones. Exact: RowIndex (evidence/components/bti_index.h).
Bytes rows_db_partition_estimate(std::int64_t key_bytes, std::int64_t blocks);

/// What Statistics.db depends on beside its fixed parts.
struct StatisticsShape {
  SSTableFormat format = SSTableFormat::oa;
  std::int64_t partitions = 0;
  std::int64_t drop_time_bins = 0;
  std::int64_t commit_log_intervals = 1;
  std::int64_t type_name_bytes =
      0;  // of key, clustering types and columns: marshal class names, and the columns' names
  std::int64_t clustering_type_name_bytes = 0;  // of the clustering columns alone: oa and da repeat them
  std::int64_t clustering_bytes = 0;            // serialized values of the covered slice: least and greatest clustering
  std::int64_t end_key_bytes = 0;               // first and last partition key together
};
Bytes statistics_db_estimate(const StatisticsShape& shape);

}  // namespace windrow
