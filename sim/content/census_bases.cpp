#include "sim/content/census_bases.h"

#include "sim/content/stored_rows.h"

namespace windrow {

HeaderBases bases_of(const ContentSpace& space, std::span<const BucketPiece> pieces) {
  HeaderBases bases;
  for (const BucketPiece& piece : pieces) {
    const Cohort& cohort = *piece.cohort;
    const SubStream& sub = space.sub_stream(cohort.sub_stream);
    const RowShape& shape = space.shape(cohort.sub_stream, cohort.state);
    const SubStream::Dates first = sub.dates(piece.first);
    const bool ascending = !sub.writer().timestamp.add_row_number;
    const Micros oldest_us = ascending ? first.timestamp_us : sub.timestamp_range(piece.first, piece.last).first;
    bases.see(oldest_us - (shape.complex_deletions > 0 ? 1 : 0));
    bases.columns |= shape.present;
    const bool tombstone = cohort.state == RowState::row_tombstone;
    if (tombstone || shape.dated_at_write()) bases.see_deletion(first.arrival_s);
    if (tombstone || cohort.ttl_s == 0) continue;
    bases.see_ttl(cohort.ttl_s);
    bases.see_deletion(first.arrival_s + cohort.ttl_s);
  }
  return bases;
}

void see_cell(const KeyedCell& cell, HeaderBases& bases) {
  bases.see(cell.timestamp_us);
  if (cell.column >= first_static_column) {
    bases.statics.add(cell.column - first_static_column);
  } else {
    bases.columns.add(cell.column);
  }
  if (cell.ttl_s > 0) bases.see_ttl(cell.ttl_s);
  if (cell.local_deletion_time_s != no_deletion_time) bases.see_deletion(cell.local_deletion_time_s);
}

void see_rows(const KeyedPartition& partition, HeaderBases& bases) {
  for (const KeyedCell& cell : partition.statics.cells) see_cell(cell, bases);
  for (const KeyedRow& row : partition.rows) {
    if (row.liveness) {
      bases.see(row.liveness->timestamp_us);
      if (row.liveness->ttl_s > 0) bases.see_ttl(row.liveness->ttl_s);
      if (row.liveness->ttl_s > 0) bases.see_deletion(row.liveness->expiry_s);
    }
    for (const KeyedCell& cell : row.cells) see_cell(cell, bases);
  }
}

void see_deletions(const KeyedPartition& partition, HeaderBases& bases) {
  const auto see = [&](const Deletion& deletion) {
    bases.see(deletion.timestamp_us);
    bases.see_deletion(deletion.local_deletion_time_s);
  };
  if (partition.deletion) see(*partition.deletion);
  for (const KeyedRange& range : partition.ranges) see(range.deletion);
  for (const KeyedRow& row : partition.rows) {
    if (row.deletion) see(*row.deletion);
  }
}

}  // namespace windrow
