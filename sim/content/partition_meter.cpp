#include "sim/content/partition_meter.h"

#include <utility>

namespace windrow {

void PartitionMeter::feed(const DeletionTime& deletion) {
  if (deletion.live()) return;
  extremes_.feed_timestamp(deletion.marked_for_delete_at_us);
  extremes_.feed_deletion_time(deletion.local_deletion_time_s);
  drop_times_.add(deletion.local_deletion_time_s);
}

void PartitionMeter::feed(const StoredCell& cell) {
  extremes_.feed_timestamp(cell.timestamp_us);
  extremes_.feed_ttl(cell.kind == StoredCell::Kind::expiring ? cell.ttl_s : 0);
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

void PartitionMeter::begin_partition(Token token, int key_bytes, const DeletionTime& deletion) {
  partition_bytes_ = 0;
  cells_ = 0;
  histograms_.tokens.push_back(token);
  feed(deletion);
  extremes_.key_bytes += key_bytes;
  put(format_.partition_header(key_bytes, deletion));
}

/// Of the first row after it, all that stands before is the one before.
void PartitionMeter::static_row(const StoredRow& row) {
  if (format_.header().static_columns == 0) return;
  const Bytes bytes = format_.static_row(row);
  partition_bytes_ += bytes;
  previous_bytes_ += bytes;
  if (row.empty()) return;
  ++extremes_.static_rows;
  feed(row);
}

void PartitionMeter::row(const StoredRow& row) {
  feed(row);
  put(format_.row(row, previous_bytes_));
}

void PartitionMeter::feed(const StoredRow& row) {
  ++extremes_.rows;
  if (row.liveness.present) {
    extremes_.feed_timestamp(row.liveness.timestamp_us);
    extremes_.feed_ttl(row.liveness.ttl_s);
    feed_expiry(row.liveness.local_expiration_time_s);
  }
  feed(row.deletion);
  for (const StoredCell& cell : row.cells) feed(cell);
  extremes_.cells += std::ssize(row.cells);
  for (const StoredComplexColumn& complex : row.complex_columns) {
    feed(complex.deletion);
    for (const StoredCell& cell : complex.cells) feed(cell);
    extremes_.cells += complex.cells.empty() ? 0 : 1;
  }
}

void PartitionMeter::marker(const StoredMarker& marker) {
  if (marker.closes) feed(marker.closed);
  if (marker.opens) feed(marker.opened);
  put(format_.marker(marker, previous_bytes_));
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
