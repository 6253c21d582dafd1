#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "evidence/components/metadata_collector.h"
#include "sim/bytes/row_layout.h"

namespace windrow {

/// A block of a partition's row index: BigFormatPartitionWriter, BtiFormatPartitionWriter.
struct IndexBlock {
  std::int64_t offset = 0;       // in the partition
  std::int64_t width = 0;        // bytes
  std::int64_t first_bytes = 0;  // of the first and last unfiltered's clustering as an index entry writes it
  std::int64_t last_bytes = 0;
  std::int64_t first_unfiltered = 0;  // counted from 0 within the partition
  std::int64_t last_unfiltered = 0;
  DeletionTime open{};  // range tombstone open at the end of the block
};

/// What became of one partition.
struct WrittenPartition {
  Bytes position = 0;  // in Data.db, uncompressed
  Bytes bytes = 0;
  Bytes header_bytes = 0;  // before the first row
  Rows rows = 0;           // without the static row
  std::int64_t markers = 0;
  std::int64_t cells = 0;
  std::int64_t tombstone_cells = 0;
  bool has_static_row = false;
  bool deleted = false;
  Bytes promoted_index_bytes = 0;    // BIG: size field of its entry in Index.db
  std::vector<IndexBlock> blocks{};  // at least two, or empty
};

/// Writes partitions one after another: SortedTableWriter, Cassandra 5.0.9. Of each: begin, the static row if there is
/// one, rows and markers in clustering order, end.
class PartitionWriter {
 public:
  /// `column_index_bytes` 0: the default of the format, 64 KiB for BIG and 16 KiB for BTI.
  /// `data`: where the bytes of Data.db go; null if only sizes matter, then ByteRun needs no data.
  explicit PartitionWriter(const SerializationHeader& header, Bytes column_index_bytes = 0,
                           std::string* data = nullptr);

  void begin(const ByteRun& key, const DeletionTime& deletion = {});
  void static_row(const StoredRow& row);
  void row(const StoredRow& row);
  void marker(const StoredMarker& marker);
  WrittenPartition end();

  Bytes position() const { return position_; }
  SSTableStatistics finish() { return collector_.finish(); }

 private:
  template <typename Write>
  std::int64_t put(Write write);
  void ensure_static_row();
  void unfiltered(std::int64_t bytes, std::int64_t index_bytes);
  Bytes promoted_index() const;

  RowLayout layout_;
  Bytes column_index_bytes_ = 0;
  std::string* data_ = nullptr;
  MetadataCollector collector_{};
  Bytes position_ = 0;
  WrittenPartition partition_{};
  DeletionTime deletion_{};
  bool static_row_written_ = false;
  std::int64_t last_start_ = 0;  // of the unfiltered before, in the partition
  std::int64_t unfiltereds_ = 0;
  std::optional<IndexBlock> block_{};
  DeletionTime open_{};
};

}  // namespace windrow
