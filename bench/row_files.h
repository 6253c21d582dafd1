#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "sim/base/units.h"
#include "sim/stats/bloom_filter.h"

namespace windrow_bench {

using windrow::Bytes;

/// A row of a file. Moments are numbers of operations, one each millisecond: timestamps, and in seconds local deletion
/// times.
struct Row {
  static constexpr std::int32_t never = -1;
  std::uint64_t key = 0;  // partition, then clustering
  std::int32_t written = never;
  std::int32_t deleted = never;
};
using RowsOfFile = std::vector<Row>;

inline std::uint64_t partition_of(const Row& row) { return row.key >> 32; }

// (pk bigint, ck bigint, v bigint) in format nb, storage rules 1.3 to 1.9, time deltas of four and two bytes.
inline constexpr Bytes bytes_per_partition = 2 + 8 + 12 + 1;
inline constexpr Bytes bytes_per_live_row = 1 + (1 + 8) + 2 + 4 + (1 + 8);  // the cell has the row's timestamp
inline constexpr Bytes bytes_per_tombstone = 1 + (1 + 8) + 2 + 4 + 2;
inline constexpr Bytes bytes_per_shadowing_tombstone = 4 + 2;  // in a row that was written again

struct File {
  RowsOfFile rows{};
  std::int64_t partitions = 0;
  std::int32_t min_timestamp = 0;
  Bytes data_bytes = 0;
  Bytes bytes_on_disk = 0;
};

/// Components beside Data: index entries, filter, and an estimate of the statistics as the engine's model has it.
inline Bytes other_components(std::int64_t partitions) {
  static const windrow::BloomSpec filter = windrow::bloom_spec(0.01);
  return partitions * (2 + 8 + 3 + 1) + windrow::bloom_filter_file_bytes(partitions, filter) + 4'750 +
         std::min<Bytes>(partitions, 2'500) * 3 + 128;
}

inline File file_of(RowsOfFile rows) {
  File file{.rows = std::move(rows), .min_timestamp = std::numeric_limits<std::int32_t>::max()};
  const Row* previous = nullptr;
  for (const Row& row : file.rows) {
    if (previous == nullptr || partition_of(*previous) != partition_of(row)) ++file.partitions;
    previous = &row;
    if (row.written != Row::never) {
      file.data_bytes += bytes_per_live_row + (row.deleted != Row::never ? bytes_per_shadowing_tombstone : 0);
    } else {
      file.data_bytes += bytes_per_tombstone;
    }
    for (const std::int32_t moment : {row.written, row.deleted}) {
      if (moment != Row::never) file.min_timestamp = std::min(file.min_timestamp, moment);
    }
  }
  file.data_bytes += file.partitions * bytes_per_partition;
  file.bytes_on_disk = file.data_bytes + other_components(file.partitions);
  return file;
}

inline bool holds(const File& file, std::uint64_t partition) {
  const auto at = std::ranges::lower_bound(file.rows, partition << 32, {}, &Row::key);
  return at != file.rows.end() && partition_of(*at) == partition;
}

/// The newer of each; what a newer deletion covers is gone.
inline Row reconciled(const Row& a, const Row& b) {
  Row row{.key = a.key, .written = std::max(a.written, b.written), .deleted = std::max(a.deleted, b.deleted)};
  if (row.written < row.deleted) row.written = Row::never;
  return row;
}

inline RowsOfFile merged(const RowsOfFile& a, const RowsOfFile& b) {
  RowsOfFile out;
  out.reserve(a.size() + b.size());
  auto left = a.begin();
  auto right = b.begin();
  while (left != a.end() && right != b.end()) {
    if (left->key == right->key) {
      out.push_back(reconciled(*left++, *right++));
    } else {
      out.push_back(left->key < right->key ? *left++ : *right++);
    }
  }
  out.insert(out.end(), left, a.end());
  out.insert(out.end(), right, b.end());
  return out;
}

inline RowsOfFile merged(const std::vector<const File*>& files) {
  std::vector<RowsOfFile> level;
  for (const File* file : files) level.push_back(file->rows);
  while (level.size() > 1) {
    std::vector<RowsOfFile> next;
    for (std::size_t i = 0; i + 1 < level.size(); i += 2) next.push_back(merged(level[i], level[i + 1]));
    if (level.size() % 2 == 1) next.push_back(std::move(level.back()));
    level = std::move(next);
  }
  return std::move(level.front());
}

}  // namespace windrow_bench
