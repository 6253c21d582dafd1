#include "sim/content/census_collector.h"

#include <algorithm>
#include <tuple>

namespace windrow {

namespace {

bool larger(const LargestPartition& a, const LargestPartition& b) {
  return std::tuple(-a.bytes, a.writer, a.bucket, a.slot) < std::tuple(-b.bytes, b.writer, b.bucket, b.slot);
}

}  // namespace

bool keep_if_large(std::vector<LargestPartition>& largest, std::size_t most, const LargestPartition& partition) {
  if (largest.size() >= most && (most == 0 || !larger(partition, largest.back()))) return false;
  const auto place = std::ranges::upper_bound(largest, partition, larger);
  largest.insert(place, partition);
  if (largest.size() > most) largest.pop_back();
  return true;
}

void CensusCollector::offer(int writer, std::int64_t bucket, std::int64_t slots, const MeasuredPartitions& partitions) {
  const AlikePartitions& alike = partitions.alike;
  const auto named = std::min(alike.partitions, static_cast<std::int64_t>(keep_));
  for (std::int64_t i = 0; i < named; ++i) {
    const std::int64_t slot = (alike.first_slot + i * alike.step) % slots;
    const LargestPartition one{writer, bucket, slot, alike.rows, alike.cells, partitions.bytes};
    if (!keep_if_large(census_.largest, keep_, one)) return;
  }
}

void CensusCollector::finish() {
  paced_.share_out([this](std::int64_t partitions, Rows rows, std::int64_t cells, Bytes bytes) {
    count(partitions, rows, cells, bytes);
  });
  if (finds_ != Finds::all) return;
  census_.bytes = bytes_.spread();
  census_.rows = rows_.spread();
  census_.cells = cells_.spread();
  for (const auto& [value, count] : bytes_.sorted()) census_.bytes_histogram.add(value, count);
  for (const auto& [value, count] : rows_.sorted()) census_.rows_histogram.add(value, count);
  for (const auto& [value, count] : cells_.sorted()) census_.cells_histogram.add(value, count);
}

void CensusCollector::count(std::int64_t partitions, Rows rows, std::int64_t cells, Bytes bytes) {
  census_.partitions += partitions;
  if (finds_ == Finds::maxima) {
    census_.bytes.max = std::max(census_.bytes.max, bytes);
    census_.rows.max = std::max(census_.rows.max, rows);
    census_.cells.max = std::max(census_.cells.max, cells);
    return;
  }
  if (finds_ == Finds::added) {
    census_.bytes_histogram.add(bytes, partitions);
    census_.rows_histogram.add(rows, partitions);
    census_.cells_histogram.add(cells, partitions);
    return;
  }
  bytes_.add(bytes, partitions);
  rows_.add(rows, partitions);
  cells_.add(cells, partitions);
}

}  // namespace windrow
