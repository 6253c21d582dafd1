#include "sim/content/keyed_merge.h"

#include <algorithm>
#include <tuple>

#include "sim/content/value_bytes.h"

namespace windrow {

namespace {

/// True if `a` wins over `b`: same row, same column.
bool supersedes(const KeyedCell& a, const KeyedCell& b, const CompareValues& values) {
  if (a.timestamp_us != b.timestamp_us) return a.timestamp_us > b.timestamp_us;
  const bool a_dies = a.kind != CellKind::live;
  const bool b_dies = b.kind != CellKind::live;
  if (a_dies != b_dies) return a_dies;
  if (a_dies) {
    const bool a_tombstone = a.kind == CellKind::tombstone;
    if (a_tombstone != (b.kind == CellKind::tombstone)) return a_tombstone;
    if (a.local_deletion_time_s != b.local_deletion_time_s) return a.local_deletion_time_s > b.local_deletion_time_s;
    if (a.ttl_s != b.ttl_s) return a.ttl_s < b.ttl_s;
    if (a_tombstone) return false;
  }
  return values(a, b) > 0;
}

bool supersedes(const KeyedLiveness& a, const KeyedLiveness& b) {
  if (a.timestamp_us != b.timestamp_us) return a.timestamp_us > b.timestamp_us;
  if ((a.ttl_s > 0) != (b.ttl_s > 0)) return a.ttl_s > 0;
  if (a.expiry_s != b.expiry_s) return a.expiry_s > b.expiry_s;
  return a.ttl_s < b.ttl_s;
}

void merge_row(KeyedRow& into, const KeyedRow& from, const CompareValues& values) {
  if (from.liveness && (!into.liveness || supersedes(*from.liveness, *into.liveness))) into.liveness = from.liveness;
  if (from.deletion && (!into.deletion || *from.deletion > *into.deletion)) into.deletion = from.deletion;
  for (const KeyedCell& cell : from.cells) {
    const auto place = std::ranges::lower_bound(into.cells, cell.column, {}, &KeyedCell::column);
    if (place == into.cells.end() || place->column != cell.column) {
      into.cells.insert(place, cell);
    } else if (supersedes(cell, *place, values)) {
      *place = cell;
    }
  }
}

/// The strongest deletion at every clustering value, as disjoint stretches.
std::vector<KeyedRange> flatten(std::vector<KeyedRange> ranges) {
  if (ranges.size() < 2) return ranges;
  std::vector<std::int64_t> borders;
  for (const KeyedRange& range : ranges) {
    borders.push_back(range.from);
    borders.push_back(range.to);
  }
  std::ranges::sort(borders);
  borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
  std::ranges::sort(ranges, {}, &KeyedRange::from);
  std::vector<KeyedRange> flat;
  std::vector<const KeyedRange*> open;
  auto next = ranges.begin();
  for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
    for (; next != ranges.end() && next->from <= borders[i]; ++next) open.push_back(&*next);
    std::erase_if(open, [&](const KeyedRange* range) { return range->to <= borders[i]; });
    if (open.empty()) continue;
    const KeyedRange* strongest =
        *std::ranges::max_element(open, {}, [](const KeyedRange* range) { return range->deletion; });
    if (!flat.empty() && flat.back().to == borders[i] && flat.back().deletion == strongest->deletion) {
      flat.back().to = borders[i + 1];
    } else {
      flat.push_back({borders[i], borders[i + 1], strongest->deletion});
    }
  }
  return flat;
}

void shadow_row(KeyedRow& row, std::optional<Deletion> active) {
  if (row.deletion && active && *row.deletion <= *active) row.deletion.reset();
  if (row.deletion) active = row.deletion;
  if (!active) return;
  if (row.liveness && row.liveness->timestamp_us <= active->timestamp_us) row.liveness.reset();
  std::erase_if(row.cells, [&](const KeyedCell& cell) { return cell.timestamp_us <= active->timestamp_us; });
}

}  // namespace

CompareValues values_of(const TableWorkload& workload) {
  return [&workload](const KeyedCell& a, const KeyedCell& b) {
    return compare_values(workload, a.sub_stream, a.row_number, a.column, b.sub_stream, b.row_number, b.column);
  };
}

void merge_partition(KeyedPartition& into, const KeyedPartition& from, const CompareValues& values) {
  if (from.deletion && (!into.deletion || *from.deletion > *into.deletion)) into.deletion = from.deletion;
  merge_row(into.statics, from.statics, values);
  if (!from.ranges.empty()) {
    into.ranges.insert(into.ranges.end(), from.ranges.begin(), from.ranges.end());
    into.ranges = flatten(std::move(into.ranges));
  }
  if (from.rows.size() == 1) {  // a memtable takes in one row at a time, mostly the newest
    const KeyedRow& row = from.rows.front();
    const auto place = std::ranges::lower_bound(into.rows, row.clustering, {}, &KeyedRow::clustering);
    if (place != into.rows.end() && place->clustering == row.clustering) {
      merge_row(*place, row, values);
    } else {
      into.rows.insert(place, row);
    }
    return;
  }
  std::vector<KeyedRow> rows;
  rows.reserve(into.rows.size() + from.rows.size());
  auto mine = into.rows.begin();
  for (const KeyedRow& theirs : from.rows) {
    while (mine != into.rows.end() && mine->clustering < theirs.clustering) rows.push_back(std::move(*mine++));
    if (mine != into.rows.end() && mine->clustering == theirs.clustering) {
      rows.push_back(std::move(*mine++));
      merge_row(rows.back(), theirs, values);
    } else {
      rows.push_back(theirs);
    }
  }
  std::move(mine, into.rows.end(), std::back_inserter(rows));
  into.rows = std::move(rows);
}

void shadow(KeyedPartition& partition) {
  if (partition.deletion) {
    std::erase_if(partition.ranges, [&](const KeyedRange& range) { return range.deletion <= *partition.deletion; });
  }
  shadow_row(partition.statics, partition.deletion);
  auto range = partition.ranges.begin();
  for (KeyedRow& row : partition.rows) {
    while (range != partition.ranges.end() && range->to <= row.clustering) ++range;
    std::optional<Deletion> active = partition.deletion;
    if (range != partition.ranges.end() && range->from <= row.clustering) active = range->deletion;
    shadow_row(row, active);
  }
  std::erase_if(partition.rows, [](const KeyedRow& row) { return row.empty(); });
}

void purge_partition(KeyedPartition& partition, const PurgeTimes& times, const std::function<Micros()>& earliest,
                     const PurgeRules& rules) {
  std::optional<Micros> minimum;
  const Seconds oldest_kept_s = rules.at_equality ? times.gc_before_s + 1 : times.gc_before_s;
  const auto purgeable = [&](Micros timestamp_us, Seconds deletion_time_s) {
    if (deletion_time_s >= oldest_kept_s) return false;
    if (!minimum) minimum = earliest();
    return timestamp_us < *minimum;
  };
  const auto gone = [&](const Deletion& deletion) {
    return purgeable(deletion.timestamp_us, deletion.local_deletion_time_s);
  };
  if (partition.deletion && gone(*partition.deletion)) partition.deletion.reset();
  std::erase_if(partition.ranges, [&](const KeyedRange& range) { return gone(range.deletion); });
  const auto purge_row = [&](KeyedRow& row) {
    if (row.liveness && row.liveness->expiry_s <= times.now_s &&
        purgeable(row.liveness->timestamp_us,
                  row.liveness->expiry_s - (rules.liveness_dates_from_expiry ? 0 : row.liveness->ttl_s))) {
      row.liveness.reset();
    }
    if (row.deletion && gone(*row.deletion)) row.deletion.reset();
    std::erase_if(row.cells, [&](KeyedCell& cell) {
      if (cell.kind == CellKind::tombstone) return purgeable(cell.timestamp_us, cell.local_deletion_time_s);
      if (cell.kind == CellKind::live || cell.local_deletion_time_s > times.now_s) return false;
      if (purgeable(cell.timestamp_us, cell.local_deletion_time_s)) return true;
      cell.kind = CellKind::tombstone;
      if (rules.expired_cells_date_from_write) cell.local_deletion_time_s -= cell.ttl_s;
      cell.ttl_s = 0;
      return purgeable(cell.timestamp_us, cell.local_deletion_time_s);
    });
  };
  purge_row(partition.statics);
  std::ranges::for_each(partition.rows, purge_row);
  std::erase_if(partition.rows, [](const KeyedRow& row) { return row.empty(); });
}

void purge_keyed(KeyedContent& content, const PurgeTimes& times,
                 const std::function<Micros(const KeyedPartition&)>& earliest, const PurgeRules& rules) {
  for (KeyedPartition& partition : content) {
    purge_partition(
        partition, times, [&] { return earliest(partition); }, rules);
  }
  std::erase_if(content, [](const KeyedPartition& partition) { return partition.empty(); });
}

KeyedContent merge_keyed(std::span<const KeyedContent* const> inputs, const CompareValues& values) {
  std::vector<const KeyedPartition*> order;
  for (const KeyedContent* input : inputs) {
    for (const KeyedPartition& partition : *input) order.push_back(&partition);
  }
  std::ranges::stable_sort(order, {}, &KeyedPartition::token);
  KeyedContent merged;
  std::size_t different = 0;
  for (std::size_t i = 0; i < order.size(); ++i) different += i == 0 || order[i]->token != order[i - 1]->token ? 1 : 0;
  merged.reserve(different);
  for (const KeyedPartition* partition : order) {
    if (!merged.empty() && merged.back().token == partition->token) {
      merge_partition(merged.back(), *partition, values);
    } else {
      merged.push_back(*partition);
    }
  }
  for (KeyedPartition& partition : merged) shadow(partition);
  return merged;
}

const KeyedPartition* find_partition(const KeyedContent& content, Token token) {
  const auto place = std::ranges::lower_bound(content, token, {}, &KeyedPartition::token);
  return place != content.end() && place->token == token ? &*place : nullptr;
}

}  // namespace windrow
