#include "evidence/components/metadata_collector.h"

#include <utility>

namespace windrow {

void MetadataCollector::deletion(const DeletionTime& deletion) {
  if (deletion.live()) return;
  timestamps_us_.see(deletion.marked_for_delete_at_us);
  local_deletion_times_s_.see(deletion.local_deletion_time_s);
  drop_times_.add(deletion.local_deletion_time_s);
}

void MetadataCollector::liveness(const LivenessInfo& liveness) {
  if (!liveness.present) return;
  timestamps_us_.see(liveness.timestamp_us);
  ttls_s_.see(liveness.ttl_s);
  local_deletion_times_s_.see(liveness.local_expiration_time_s);
  if (liveness.expiring()) drop_times_.add(liveness.local_expiration_time_s);
}

void MetadataCollector::cell(const StoredCell& cell) {
  ++partition_cells_;
  if (cell.kind == StoredCell::Kind::tombstone) ++partition_tombstone_cells_;
  timestamps_us_.see(cell.timestamp_us);
  ttls_s_.see(cell.kind == StoredCell::Kind::expiring ? cell.ttl_s : 0);
  local_deletion_times_s_.see(cell.local_deletion_time_s);
  if (cell.kind != StoredCell::Kind::live) drop_times_.add(cell.local_deletion_time_s);
}

void MetadataCollector::contents(const StoredRow& row) {
  ++statistics_.rows;
  liveness(row.liveness);
  deletion(row.deletion);
  statistics_.columns += static_cast<std::int64_t>(row.cells.size());
  for (const StoredCell& simple : row.cells) cell(simple);
  for (const StoredComplexColumn& column : row.complex_columns) {
    if (!column.cells.empty()) ++statistics_.columns;
    deletion(column.deletion);
    for (const StoredCell& element : column.cells) cell(element);
  }
}

void MetadataCollector::static_row(const StoredRow& row) {
  if (!row.empty()) contents(row);
}

void MetadataCollector::row(const StoredRow& row) { contents(row); }

void MetadataCollector::marker(const StoredMarker& marker) {
  if (marker.closes) deletion(marker.closed);
  if (marker.opens) deletion(marker.opened);
}

void MetadataCollector::end_partition(Bytes partition_bytes) {
  ++statistics_.partitions;
  statistics_.cells += partition_cells_;
  statistics_.partition_sizes.add(partition_bytes);
  statistics_.cells_per_partition.add(partition_cells_);
  partition_cells_ = 0;
  partition_tombstone_cells_ = 0;
}

SSTableStatistics MetadataCollector::finish() {
  if (timestamps_us_.seen()) {
    statistics_.min_timestamp_us = timestamps_us_.min;
    statistics_.max_timestamp_us = timestamps_us_.max;
  }
  if (local_deletion_times_s_.seen()) {
    statistics_.min_local_deletion_time_s = local_deletion_times_s_.min;
    statistics_.max_local_deletion_time_s = local_deletion_times_s_.max;
  }
  if (ttls_s_.seen()) {
    statistics_.min_ttl_s = ttls_s_.min;
    statistics_.max_ttl_s = ttls_s_.max;
  }
  statistics_.drop_times = drop_times_.build();
  SSTableStatistics finished = std::move(statistics_);
  *this = MetadataCollector();
  return finished;
}

}  // namespace windrow
