#include "evidence/captures/capture_store.h"

#include <algorithm>
#include <utility>

#include "sim/values/cql_order.h"

namespace windrow {
namespace {

// Cells.resolveRegular, Cassandra 5.0.9 (rule 3.4): is `a` the one that stays?
bool wins(const CapturedCell& a, const CapturedCell& b) {
  using Kind = StoredCell::Kind;
  if (a.timestamp_us != b.timestamp_us) return a.timestamp_us > b.timestamp_us;
  if ((a.kind == Kind::live) != (b.kind == Kind::live)) return b.kind == Kind::live;
  if (a.kind != Kind::live) {
    if (a.kind != b.kind) return a.kind == Kind::tombstone;
    if (a.local_deletion_time_s != b.local_deletion_time_s) return a.local_deletion_time_s > b.local_deletion_time_s;
    if (a.ttl_s != b.ttl_s) return a.ttl_s < b.ttl_s;
  }
  return a.value >= b.value;
}

// LivenessInfo.supersedes.
bool wins(const LivenessInfo& a, const LivenessInfo& b) {
  if (a.present != b.present) return a.present;
  if (a.timestamp_us != b.timestamp_us) return a.timestamp_us > b.timestamp_us;
  if (a.expiring() != b.expiring()) return a.expiring();
  if (a.local_expiration_time_s != b.local_expiration_time_s)
    return a.local_expiration_time_s > b.local_expiration_time_s;
  return a.ttl_s <= b.ttl_s;
}

template <typename Key, typename Order>
void merge_cells(std::map<Key, CapturedCell, Order>& into, const std::map<Key, CapturedCell, Order>& from) {
  for (const auto& [key, cell] : from) {
    const auto [place, added] = into.emplace(key, cell);
    if (!added && !wins(place->second, cell)) place->second = cell;
  }
}

template <typename Cells>
void drop_deleted(Cells& cells, const DeletionTime& deletion) {
  std::erase_if(cells, [&](const auto& entry) { return deletion.deletes(entry.second.timestamp_us); });
}

}  // namespace

bool PathOrder::operator()(const std::string& a, const std::string& b) const {
  return compare_cql_values(type, a, b) < 0;
}

void CapturedRow::shadow_contents(const DeletionTime& active, Meeting meeting) {
  if (active.live()) return;
  if (liveness.present && active.deletes(liveness.timestamp_us)) liveness = {};
  drop_deleted(cells, active);
  for (auto& [column, complex] : complex_columns) {
    const bool goes =
        meeting == Meeting::memtable ? supersedes(active, complex.deletion) : !supersedes(complex.deletion, active);
    if (goes) complex.deletion = {};
    drop_deleted(complex.cells, active);
  }
  std::erase_if(complex_columns,
                [](const auto& entry) { return entry.second.deletion.live() && entry.second.cells.empty(); });
}

void CapturedRow::merge(const CapturedRow& other, Meeting meeting) {
  if (empty()) {
    *this = other;
    return;
  }
  if (!wins(liveness, other.liveness)) liveness = other.liveness;
  if (supersedes(other.deletion, deletion)) deletion = other.deletion;
  merge_cells(cells, other.cells);
  for (const auto& [column, complex] : other.complex_columns) {
    const auto [place, added] = complex_columns.emplace(column, complex);
    if (added) continue;
    if (supersedes(complex.deletion, place->second.deletion)) place->second.deletion = complex.deletion;
    merge_cells(place->second.cells, complex.cells);
  }
  shadow_contents(deletion, meeting);
  for (auto& [column, complex] : complex_columns) drop_deleted(complex.cells, complex.deletion);
}

void CapturedRow::shadow(const DeletionTime& active, Meeting meeting) {
  if (active.live() || supersedes(deletion, active)) return;
  deletion = {};
  shadow_contents(active, meeting);
}

int ClusteringOrder::compare(const ClusteringPosition& a, const ClusteringPosition& b) const {
  const std::size_t shared = std::min(a.values.size(), b.values.size());
  for (std::size_t i = 0; i < shared; ++i) {
    const int order = compare_cql_values(columns[i].type, a.values[i], b.values[i]);
    if (order != 0) return columns[i].order == Column::Order::desc ? -order : order;
  }
  if (a.values.size() == b.values.size()) return a.side - b.side;
  return a.values.size() < b.values.size() ? a.side : -b.side;
}

void CapturedPartition::merge(const CapturedPartition& other, Meeting meeting) {
  if (supersedes(other.deletion, deletion)) deletion = other.deletion;
  static_row.merge(other.static_row, meeting);
  for (const auto& [clustering, row] : other.rows) rows[clustering].merge(row, meeting);
  ranges.insert(ranges.end(), other.ranges.begin(), other.ranges.end());
}

// RangeTombstoneList: between two neighbouring ends of any ranges the newest deletion holds; equal neighbours join.
void CapturedPartition::disjoin_ranges() {
  std::erase_if(ranges, [&](const CapturedRange& range) { return !supersedes(range.deletion, deletion); });
  const ClusteringOrder order = rows.key_comp();
  std::vector<ClusteringPosition> ends;
  for (const CapturedRange& range : ranges) {
    ends.push_back(range.start);
    ends.push_back(range.end);
  }
  const auto before = [&](const auto& a, const auto& b) { return order.compare(a, b) < 0; };
  const auto same = [&](const auto& a, const auto& b) { return order.compare(a, b) == 0; };
  std::sort(ends.begin(), ends.end(), before);
  ends.erase(std::unique(ends.begin(), ends.end(), same), ends.end());
  std::vector<CapturedRange> disjoint;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    DeletionTime newest;
    for (const CapturedRange& range : ranges) {
      const bool covers = !before(ends[i], range.start) && !before(range.end, ends[i + 1]);
      if (covers && supersedes(range.deletion, newest)) newest = range.deletion;
    }
    if (newest.live()) continue;
    if (!disjoint.empty() && same(disjoint.back().end, ends[i]) && disjoint.back().deletion == newest) {
      disjoint.back().end = ends[i + 1];
    } else {
      disjoint.push_back({.start = ends[i], .end = ends[i + 1], .deletion = newest});
    }
  }
  ranges = std::move(disjoint);
}

void CapturedPartition::resolve(Meeting meeting) {
  disjoin_ranges();
  static_row.shadow(deletion, meeting);
  const ClusteringOrder order = rows.key_comp();
  auto range = ranges.begin();
  for (auto row = rows.begin(); row != rows.end();) {
    row->second.shadow(deletion, meeting);
    const ClusteringPosition here{.values = row->first};
    while (range != ranges.end() && order.compare(range->end, here) < 0) ++range;
    if (range != ranges.end() && order.compare(range->start, here) <= 0) row->second.shadow(range->deletion, meeting);
    row = row->second.empty() ? rows.erase(row) : std::next(row);
  }
}

namespace {

struct Purge {
  Seconds now_s = 0;
  Seconds gc_before_s = 0;

  void deletion(DeletionTime& deletion) const {
    if (!deletion.live() && deletion.local_deletion_time_s < gc_before_s) deletion = {};
  }

  // AbstractCell.purge: an expired cell becomes a tombstone dated back by its TTL. Says whether the cell stays.
  bool cell(CapturedCell& cell) const {
    if (cell.kind == StoredCell::Kind::live) return true;
    if (cell.kind == StoredCell::Kind::tombstone) return cell.local_deletion_time_s >= gc_before_s;
    if (cell.local_deletion_time_s > now_s) return true;
    if (cell.local_deletion_time_s < gc_before_s) return false;
    cell = {.kind = StoredCell::Kind::tombstone,
            .timestamp_us = cell.timestamp_us,
            .local_deletion_time_s = cell.local_deletion_time_s - cell.ttl_s};
    return cell.local_deletion_time_s >= gc_before_s;
  }

  template <typename Cells>
  void cells(Cells& all) const {
    for (auto entry = all.begin(); entry != all.end();)
      entry = cell(entry->second) ? std::next(entry) : all.erase(entry);
  }

  void row(CapturedRow& row) const {
    const LivenessInfo& liveness = row.liveness;
    const bool dead = liveness.expiring() && liveness.local_expiration_time_s <= now_s;
    if (liveness.present && dead && liveness.local_expiration_time_s < gc_before_s) row.liveness = {};
    deletion(row.deletion);
    cells(row.cells);
    for (auto& [column, complex] : row.complex_columns) {
      deletion(complex.deletion);
      cells(complex.cells);
    }
    std::erase_if(row.complex_columns,
                  [](const auto& entry) { return entry.second.deletion.live() && entry.second.cells.empty(); });
  }
};

}  // namespace

void CapturedPartition::purge(Seconds now_s, Seconds gc_before_s) {
  const Purge purge{.now_s = now_s, .gc_before_s = gc_before_s};
  purge.deletion(deletion);
  std::erase_if(ranges, [&](const CapturedRange& range) { return range.deletion.local_deletion_time_s < gc_before_s; });
  purge.row(static_row);
  for (auto row = rows.begin(); row != rows.end();) {
    purge.row(row->second);
    row = row->second.empty() ? rows.erase(row) : std::next(row);
  }
}

}  // namespace windrow
