#include "sim/replica/difference.h"

#include <algorithm>

namespace windrow {
namespace {

bool same_cell(const KeyedCell& a, const KeyedCell& b, const CompareValues& values) {
  return a.column == b.column && a.kind == b.kind && a.ttl_s == b.ttl_s && a.timestamp_us == b.timestamp_us &&
         a.local_deletion_time_s == b.local_deletion_time_s && (a.kind == CellKind::tombstone || values(a, b) == 0);
}

bool same_row(const KeyedRow& a, const KeyedRow& b, const CompareValues& values) {
  return a.clustering == b.clustering && a.liveness == b.liveness && a.deletion == b.deletion &&
         std::ranges::equal(a.cells, b.cells, [&](const auto& x, const auto& y) { return same_cell(x, y, values); });
}

KeyedRow missing_of_row(const KeyedRow& merged, const KeyedRow& own, const CompareValues& values,
                        const IsQueried& queried) {
  KeyedRow lacking{.clustering = merged.clustering};
  if (merged.liveness && merged.liveness != own.liveness) lacking.liveness = merged.liveness;
  if (merged.deletion && merged.deletion != own.deletion) lacking.deletion = merged.deletion;
  for (const KeyedCell& cell : merged.cells) {
    if (!queried(cell.column)) continue;
    const auto mine = std::ranges::lower_bound(own.cells, cell.column, {}, &KeyedCell::column);
    if (mine == own.cells.end() || !same_cell(*mine, cell, values)) lacking.cells.push_back(cell);
  }
  return lacking;
}

/// The parts of the merged ranges where `own` has another deletion or none.
std::vector<KeyedRange> missing_ranges(const std::vector<KeyedRange>& merged, const std::vector<KeyedRange>& own) {
  std::vector<KeyedRange> lacking;
  const auto add = [&](std::int64_t from, std::int64_t to, const Deletion& deletion) {
    if (from >= to) return;
    if (!lacking.empty() && lacking.back().to == from && lacking.back().deletion == deletion) {
      lacking.back().to = to;
    } else {
      lacking.push_back({from, to, deletion});
    }
  };
  for (const KeyedRange& range : merged) {
    std::int64_t from = range.from;
    for (const KeyedRange& mine : own) {
      if (mine.to <= from || mine.from >= range.to || mine.deletion != range.deletion) continue;
      add(from, mine.from, range.deletion);
      from = mine.to;
    }
    add(from, range.to, range.deletion);
  }
  return lacking;
}

}  // namespace

KeyedPartition missing(const KeyedPartition& merged, const KeyedPartition& own, const CompareValues& values,
                       const IsQueried& queried) {
  KeyedPartition lacking = merged;
  if (own.deletion == merged.deletion) lacking.deletion.reset();
  lacking.ranges = missing_ranges(merged.ranges, own.ranges);
  lacking.rows.clear();
  for (const KeyedRow& row : merged.rows) {
    const auto mine = std::ranges::lower_bound(own.rows, row.clustering, {}, &KeyedRow::clustering);
    const bool held = mine != own.rows.end() && mine->clustering == row.clustering;
    KeyedRow rest = missing_of_row(row, held ? *mine : KeyedRow{.clustering = row.clustering}, values, queried);
    if (!rest.empty()) lacking.rows.push_back(std::move(rest));
  }
  return lacking;
}

bool same_partition(const KeyedPartition& a, const KeyedPartition& b, const CompareValues& values) {
  return a.deletion == b.deletion && a.ranges == b.ranges &&
         std::ranges::equal(a.rows, b.rows, [&](const auto& x, const auto& y) { return same_row(x, y, values); });
}

}  // namespace windrow
