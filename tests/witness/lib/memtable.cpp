#include "tests/witness/lib/memtable.h"

#include <algorithm>

namespace windrow::witness {

void Memtable::saw_timestamp(Micros timestamp_us) { min_timestamp_us_ = std::min(min_timestamp_us_, timestamp_us); }

void Memtable::saw_expiry(Seconds ttl_s, Seconds local_deletion_time_s) {
  if (ttl_s > 0) min_ttl_s_ = std::min(min_ttl_s_.value_or(ttl_s), ttl_s);
  if (local_deletion_time_s != no_deletion_time)
    min_local_deletion_time_s_ =
        std::min(min_local_deletion_time_s_.value_or(local_deletion_time_s), local_deletion_time_s);
}

void Memtable::saw_deletion(Deletion deletion) {
  saw_timestamp(deletion.timestamp_us);
  saw_expiry(0, deletion.local_deletion_time_s);
}

void Memtable::delete_partition(const Key* key, Deletion deletion) {
  saw_deletion(deletion);
  Entry& entry = partitions_[key];
  entry.deletion = stronger(entry.deletion, deletion);
}

void Memtable::delete_range(const Key* key, Range range) {
  saw_deletion(range.deletion);
  partitions_[key].ranges.push_back(range);
}

void Memtable::write(const Key* key, const Row& row) {
  const auto undated = [](const Cell& cell) { return cell.local_deletion_time_s == no_deletion_time; };
  bool dated = row.deletion || (row.liveness && row.liveness->expires_s != no_deletion_time) ||
               !std::ranges::all_of(row.cells, undated);
  if (row.complex) dated = dated || row.complex->deletion || !std::ranges::all_of(row.complex->cells, undated);
  saw_undated_ = saw_undated_ || !dated;
  if (row.liveness) {
    saw_timestamp(row.liveness->timestamp_us);
    saw_expiry(row.liveness->ttl_s, row.liveness->expires_s);
  }
  if (row.deletion) saw_deletion(*row.deletion);
  for (const Cell& cell : row.cells) {
    saw_timestamp(cell.timestamp_us);
    saw_expiry(cell.ttl_s, cell.local_deletion_time_s);
    columns_.insert(cell.place);
  }
  if (row.complex) {
    columns_.insert(row.complex->place);
    if (row.complex->deletion) saw_deletion(*row.complex->deletion);
    for (const Cell& cell : row.complex->cells) {
      saw_timestamp(cell.timestamp_us);
      saw_expiry(cell.ttl_s, cell.local_deletion_time_s);
    }
  }
  Row& merged = partitions_[key].rows.try_emplace(row.clustering, Row{.clustering = row.clustering}).first->second;
  merge_into(merged, row);
}

void Memtable::write_statics(const Key* key, const Row& statics) {
  for (const Cell& cell : statics.cells) {
    saw_timestamp(cell.timestamp_us);
    saw_expiry(cell.ttl_s, cell.local_deletion_time_s);
    statics_.insert(cell.place);
  }
  merge_into(partitions_[key].statics, statics);
}

Header Memtable::header() const {
  Header header;
  if (min_timestamp_us_ != no_timestamp) header.min_timestamp_us = min_timestamp_us_;
  if (min_local_deletion_time_s_) header.min_local_deletion_time_s = *min_local_deletion_time_s_;
  if (min_ttl_s_) header.min_ttl_s = *min_ttl_s_;
  header.columns = columns_;
  header.statics = statics_;
  return header;
}

std::vector<Partition> Memtable::sorted() const {
  std::vector<Partition> partitions;
  for (const auto& [key, entry] : partitions_) {
    Partition partition{.key = key,
                        .deletion = entry.deletion,
                        .statics = entry.statics,
                        .ranges = resolved(entry.ranges, entry.deletion)};
    shadow(partition.statics, entry.deletion);
    auto range = partition.ranges.begin();
    for (const auto& [clustering, written] : entry.rows) {
      while (range != partition.ranges.end() && range->to <= clustering) ++range;
      const bool covered = range != partition.ranges.end() && range->from <= clustering;
      Row row = written;
      enclose(row, covered ? range->deletion : entry.deletion);
      if (!row.empty()) partition.rows.push_back(std::move(row));
    }
    if (!partition.empty()) partitions.push_back(std::move(partition));
  }
  return partitions;
}

}  // namespace windrow::witness
