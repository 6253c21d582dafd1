#include "sim/content/partition_meter.h"

#include <utility>

namespace windrow {

void PartitionMeter::feed(const Deletion& deletion) {
  extremes_.feed_timestamp(deletion.timestamp_us);
  extremes_.feed_deletion_time(deletion.local_deletion_time_s);
  drop_times_.add(deletion.local_deletion_time_s);
}

void PartitionMeter::feed(const CellView& cell) {
  extremes_.feed_timestamp(cell.timestamp_us);
  extremes_.feed_ttl(cell.kind == CellKind::expiring ? cell.ttl_s : 0);
  feed_expiry(cell.local_deletion_time_s);
  ++cells_;
}

void PartitionMeter::feed_expiry(Seconds s) {
  extremes_.feed_deletion_time(s);
  if (s != no_deletion_time) drop_times_.add(s);
}

void PartitionMeter::put(std::int64_t bytes) {
  partition_bytes_ += bytes;
  previous_bytes_ = bytes;
}

void PartitionMeter::begin_partition(Token token, int key_bytes, const Deletion* deletion) {
  partition_bytes_ = 0;
  cells_ = 0;
  histograms_.tokens.push_back(token);
  if (deletion != nullptr) feed(*deletion);
  put(format_.partition_header_bytes(key_bytes, deletion != nullptr));
}

void PartitionMeter::row(const RowView& row) {
  ++extremes_.rows;
  if (row.has_liveness) {
    extremes_.feed_timestamp(row.liveness_us);
    extremes_.feed_ttl(row.liveness_ttl_s);
    feed_expiry(row.liveness_expiry_s);
  }
  if (row.has_deletion) feed(row.deletion);
  for (const CellView& cell : row.cells) feed(cell);
  extremes_.cells += std::ssize(row.cells);
  for (const ComplexView& complex : row.complexes) {
    if (complex.has_deletion) feed(complex.deletion);
    for (const CellView& cell : complex.cells) feed(cell);
    extremes_.cells += complex.cells.empty() ? 0 : 1;
  }
  put(format_.row_bytes(format_.row_body_bytes(row), previous_bytes_));
}

void PartitionMeter::marker(const MarkerView& marker) {
  if (marker.closes) feed(marker.closed);
  if (marker.opens) feed(marker.opened);
  put(format_.marker_bytes(marker, previous_bytes_));
}

void PartitionMeter::end_partition() {
  partition_bytes_ += 1;
  extremes_.uncompressed_bytes += partition_bytes_;
  ++extremes_.partitions;
  histograms_.partition_sizes.add(partition_bytes_);
  histograms_.cells.add(cells_);
  histograms_.partition_bytes.push_back(partition_bytes_);
}

std::pair<FileExtremes, FileHistograms> PartitionMeter::finish() {
  histograms_.drop_times = drop_times_.build();
  extremes_.settle_ttl();
  return {std::exchange(extremes_, {}), std::exchange(histograms_, {})};
}

}  // namespace windrow
