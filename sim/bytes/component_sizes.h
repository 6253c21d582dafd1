#pragma once

#include <cstdint>

#include "sim/base/units.h"
#include "sim/bytes/schema_shape.h"
#include "sim/schema/sstable_format.h"

namespace windrow {

// Sizes of an SSTable's files beside Data.db: storage rules 1.12 to 1.15, Cassandra 5.0.9. Filter.db:
// bloom_filter_file_bytes (stats/bloom_filter.h).

/// After so many bytes of unfiltereds a block of a partition's row index ends (column_index_size: defaults).
inline constexpr Bytes big_column_index_bytes = KiB(64);
inline constexpr Bytes bti_column_index_bytes = KiB(16);
/// IndexInfo.Serializer.WIDTH_BASE: a constant, whatever the granularity.
inline constexpr std::int64_t index_info_width_base = 65536;

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

/// CompressionInfo.db of a compressed one.
Bytes compression_info_bytes(Bytes uncompressed_bytes, const CompressionShape& shape);

Bytes toc_bytes(SSTableFormat format, bool compressed, bool has_filter);

/// Length of Digest.crc32 for nine checksums in ten; it is decimal text.
inline constexpr Bytes usual_digest_bytes = 10;

/// Partitions of a file that are not listed: how many, with so many bytes of keys, and the bytes and rows of Data.db,
/// uncompressed, that they share evenly.
struct EvenPartitions {
  SSTableFormat format = SSTableFormat::oa;
  std::int64_t partitions = 1;
  Bytes key_bytes = 0;
  Bytes data_bytes = 0;
  std::int64_t rows = 0;
  std::int64_t clustering_bytes = 0;  // serialized, of each row

  double mean_bytes() const { return static_cast<double>(data_bytes) / static_cast<double>(partitions); }
  Bytes mean_key_bytes() const { return (key_bytes + partitions / 2) / partitions; }
};

/// Index.db (BIG), with the index of partitions of more than 64 KiB in their entries.
Bytes index_db_estimate(const EvenPartitions& file);

/// Partitions.db (BTI); within a few percent of PartitionIndexBuilder, but of few subtries of a first byte that outgrow
/// a page just there within a third. `ring_share`: of the ring that they lie in.
Bytes partitions_db_estimate(std::int64_t partitions, double ring_share, Bytes data_bytes, std::int64_t first_key_bytes,
                             std::int64_t last_key_bytes);

/// What one partition of at least two blocks of 16 KiB adds to Rows.db (BTI) where its clusterings are not listed: for
/// clusterings that grow with time, without range tombstones.
Bytes rows_db_partition_estimate(std::int64_t key_bytes, std::int64_t blocks);
Bytes rows_db_estimate(const EvenPartitions& file);

/// What Statistics.db depends on beside its fixed parts.
struct StatisticsShape {
  SSTableFormat format = SSTableFormat::oa;
  std::int64_t partitions = 0;
  std::int64_t drop_time_bins = 0;
  std::int64_t commit_log_intervals = 1;
  Bytes type_name_bytes = 0;  // of key, clustering types and columns: marshal class names, and the columns' names
  Bytes clustering_type_name_bytes = 0;  // of the clustering columns alone: oa and da repeat them
  Bytes clustering_bytes = 0;            // serialized values of the covered slice: least and greatest clustering
  Bytes end_key_bytes = 0;               // first and last partition key together
};
Bytes statistics_db_estimate(const StatisticsShape& shape);

/// What the files beside Data.db depend on where partitions are not listed.
struct ComponentShape {
  EvenPartitions partitions{};
  const SchemaShape& schema;
  ColumnSet columns{};    // regular ones of the file's header
  ColumnSet statics{};    // static ones
  double ring_share = 1;  // that the partitions lie in
  bool compacted = false;
  Bytes filter_bytes = 0;  // 0: without filter
  std::int64_t min_index_interval = 128;
  std::int64_t drop_time_bins = 0;
};
struct ComponentSizes {
  Bytes index = 0;  // Index.db, or Partitions.db
  Bytes rows = 0;   // Rows.db
  Bytes summary = 0;
  Bytes filter = 0;
  Bytes statistics = 0;
  Bytes checks = 0;  // CompressionInfo.db, or CRC.db
  Bytes texts = 0;   // TOC.txt, Digest.crc32

  Bytes total() const { return index + rows + summary + filter + statistics + checks + texts; }
};
ComponentSizes component_sizes(const ComponentShape& shape);

}  // namespace windrow
