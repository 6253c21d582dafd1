#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/units.h"
#include "sim/bytes/stored_row.h"
#include "sim/content/file_statistics.h"
#include "sim/content/row_format.h"

namespace windrow {

/// Receives an SSTable's partitions in token order, and of each its static row (empty where it has none), then its rows
/// and markers in clustering order.
class PartitionSink {
 public:
  virtual ~PartitionSink() = default;
  virtual void begin_partition(Token token, int key_bytes, const DeletionTime& deletion) = 0;
  virtual void static_row(const StoredRow& row) = 0;
  virtual void row(const StoredRow& row) = 0;
  virtual void marker(const StoredMarker& marker) = 0;
  virtual void end_partition() = 0;
};

/// Measures what MetadataCollector and SortedTableWriter would (rules 1.1 to 1.5), Cassandra 5.0.9.
class PartitionMeter final : public PartitionSink {
 public:
  explicit PartitionMeter(const RowFormat& format) : format_(format) {}

  void begin_partition(Token token, int key_bytes, const DeletionTime& deletion) override;
  void static_row(const StoredRow& row) override;
  void row(const StoredRow& row) override;
  void marker(const StoredMarker& marker) override;
  void end_partition() override;

  Bytes position() const { return extremes_.uncompressed_bytes; }
  /// The statistics of all partitions since the last call.
  std::pair<FileExtremes, FileHistograms> finish();

 private:
  void feed(const StoredRow& row);
  void feed(const DeletionTime& deletion);
  void feed(const StoredCell& cell);
  void feed_expiry(Seconds s);
  void put(std::int64_t bytes);

  RowFormat format_;
  FileExtremes extremes_{};
  FileHistograms histograms_{};
  DropTimesBuilder drop_times_{};
  std::int64_t partition_bytes_ = 0;
  std::int64_t previous_bytes_ = 0;
  std::int64_t cells_ = 0;
};

}  // namespace windrow
