#include "sim/record/covered_rows.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace windrow {

namespace {

/// Newest write of a row that still has its values; nothing for one that has none.
std::optional<Micros> value_written_us(const KeyedRow& row) {
  std::optional<Micros> newest_us;
  for (const KeyedCell& cell : row.cells) {
    if (cell.kind != CellKind::tombstone)
      newest_us = std::max(newest_us.value_or(cell.timestamp_us), cell.timestamp_us);
  }
  return newest_us;
}

/// The strongest deletion that lies on a clustering value.
std::optional<Deletion> deletion_at(std::span<const KeyedPartition* const> versions, std::int64_t clustering) {
  std::optional<Deletion> strongest;
  for (const KeyedPartition* version : versions) {
    strongest = std::max(strongest, version->deletion);
    for (const KeyedRange& range : version->ranges) {
      if (range.from <= clustering && clustering < range.to)
        strongest = std::max<std::optional<Deletion>>(strongest, range.deletion);
    }
  }
  return strongest;
}

}  // namespace

void each_covered_row(std::span<const Content* const> rows_in, std::span<const Content* const> contents,
                      const std::function<void(Seconds)>& each) {
  std::vector<const KeyedPartition*> deleted;
  for (const Content* content : contents) {
    if (!content->keyed) continue;
    for (const KeyedPartition& partition : *content->keyed) {
      if (partition.deletion || !partition.ranges.empty()) deleted.push_back(&partition);
    }
  }
  std::ranges::stable_sort(deleted, {}, &KeyedPartition::token);
  for (const Content* content : rows_in) {
    if (!content->keyed) continue;
    for (const KeyedPartition& partition : *content->keyed) {
      const auto first = std::ranges::lower_bound(deleted, partition.token, {}, &KeyedPartition::token);
      const auto last = std::ranges::upper_bound(deleted, partition.token, {}, &KeyedPartition::token);
      if (first == last) continue;
      for (const KeyedRow& row : partition.rows) {
        const std::optional<Micros> written_us = value_written_us(row);
        const std::optional<Deletion> deletion = deletion_at({first, last}, row.clustering);
        if (written_us && deletion && *written_us <= deletion->timestamp_us) each(deletion->local_deletion_time_s);
      }
    }
  }
}

}  // namespace windrow
