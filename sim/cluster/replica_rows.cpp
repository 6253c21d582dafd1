#include "sim/cluster/replica_rows.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "sim/content/duplicates.h"

namespace windrow {

namespace {

void add_members(const Content& content, int sub_stream, bool with_values, std::vector<Cohort>& found) {
  for (const Cohort& cohort : content.cohorts) {
    if (cohort.sub_stream != sub_stream || (with_values && !has_values(cohort.state))) continue;
    found.push_back(cohort);
    found.back().state = RowState::live;
    found.back().ttl_s = 0;
  }
}

/// Found in several contents of the table, of which some may share rows.
void unite(const TableStore& table, std::vector<Cohort>& found) {
  if (table.may_hold_duplicates()) {
    absorb_duplicates(table.space(), found);
  } else {
    join_cohorts(found);
  }
}

std::vector<Cohort> find_members(const TableStore& table, int sub_stream, bool with_values) {
  std::vector<Cohort> found;
  for (const auto& [id, file] : table.sstables()) add_members(file->content(), sub_stream, with_values, found);
  add_members(table.memtable().raw(), sub_stream, with_values, found);
  unite(table, found);
  return found;
}

/// Cuts what is held of some partitions where others begin or end, so that what is all partitions together is whole.
void unite_partitions(std::vector<Cohort>& rows) {
  std::vector<std::int64_t> borders;
  for (const Cohort& part : rows) {
    if (!part.slots || part.cut_by_tokens()) continue;
    borders.push_back(part.from);
    borders.push_back(part.to);
  }
  if (borders.empty()) return;
  std::ranges::sort(borders);
  std::vector<Cohort> cut;
  for (const Cohort& part : rows) {
    if (!part.slots || part.cut_by_tokens()) {
      cut.push_back(part);
      continue;
    }
    Cohort rest = part;
    auto border = std::ranges::upper_bound(borders, rest.from);
    for (; border != borders.end() && *border < part.to; ++border) {
      if (*border == rest.from) continue;
      Cohort& before = cut.emplace_back(rest);
      before.to = rest.from = *border;
    }
    cut.push_back(std::move(rest));
  }
  rows = std::move(cut);
  join_cohorts(rows);
}

/// Members that are sent and arrive in [from, to).
std::vector<Cohort> members_arriving(const TableWorkload& workload, int sub_stream, Micros from_us, Micros to_us) {
  const SubStream& sub = workload.sub_streams()[static_cast<std::size_t>(sub_stream)];
  const std::int64_t unit_us = sub.writer().unit_us;
  const std::int64_t all = sub.rank(sub.writer().rhythm.total());
  std::int64_t from = std::min(all, sub.count_arrived_before(from_us / unit_us));
  const std::int64_t to = std::min(all, sub.count_arrived_before(to_us / unit_us));
  std::vector<Cohort> members;
  const auto add = [&](std::int64_t first, std::int64_t last) {
    if (first < last) members.push_back({.sub_stream = sub_stream, .from = first, .to = last});
  };
  for (const auto& [unsent_from, unsent_to] : sub.unsent()) {
    add(from, std::min(to, unsent_from));
    from = std::max(from, std::min(to, unsent_to));
  }
  add(from, to);
  return members;
}

}  // namespace

TableReplicas::TableReplicas(const RingRows& ring, const Replicas& nodes, int table)
    : ring_(&ring), nodes_(&nodes), table_(table) {
  if (ring.all_alike()) return;
  const ContentSpace& any = store(0).space();
  own_space_ = std::make_shared<const ContentSpace>(*ring.whole()[static_cast<std::size_t>(table)],
                                                    any.clustering_bytes(), SSTableFormat::oa);
}

std::vector<Cohort> TableReplicas::members_on(int node, int sub_stream) const {
  std::vector<Cohort> found = find_members(store(node), sub_stream, false);
  if (!ring_->all_alike()) unite_partitions(found);
  return to_cluster(node, std::move(found));
}

std::vector<Cohort> TableReplicas::filed_on(int node, int sub_stream, std::int64_t session) const {
  std::vector<Cohort> found;
  for (const auto& [id, file] : store(node).sstables()) {
    if (is_of_session(node, id, session)) add_members(file->content(), sub_stream, false, found);
  }
  unite(store(node), found);
  return to_cluster(node, std::move(found));
}

std::vector<Cohort> TableReplicas::unrepaired_on(int node, int sub_stream) const {
  std::vector<Cohort> found;
  for (const auto& [id, file] : store(node).sstables()) {
    if (store(node).live().at(id).repair.repaired_at_ms == 0) add_members(file->content(), sub_stream, false, found);
  }
  add_members(store(node).memtable().raw(), sub_stream, false, found);
  unite(store(node), found);
  return to_cluster(node, std::move(found));
}

bool TableReplicas::any_repaired() const {
  for (int node = 0; node < count(); ++node) {
    for (const auto& [id, file] : store(node).sstables()) {
      if (store(node).live().at(id).repair.repaired_at_ms > 0) return true;
    }
  }
  return false;
}

std::vector<Cohort> TableReplicas::values_on(int node, int sub_stream) const {
  std::vector<Cohort> found = values_in(store(node), sub_stream);
  if (!ring_->all_alike()) unite_partitions(found);
  return to_cluster(node, std::move(found));
}

std::vector<Cohort> TableReplicas::to_node(int node, std::vector<Cohort> rows) const {
  if (ring_->all_alike()) return rows;
  std::vector<Cohort> mine = ring_->to_node(table_, node, std::move(rows));
  std::erase_if(mine, [&](const Cohort& part) { return !store(node).space().any(part); });
  return mine;
}

std::vector<Cohort> TableReplicas::accepted(int sub_stream, Micros from_us, Micros to_us) const {
  std::vector<Cohort> members =
      members_arriving(*ring_->whole()[static_cast<std::size_t>(table_)], sub_stream, from_us, to_us);
  if (!ring_->all_alike()) {
    const std::vector<bool> all(nodes_->size(), true);
    for (Cohort& part : members) part.sets = std::make_shared<const SetMask>(ring_->sets_with(all));
  }
  std::vector<Cohort> nobody = members;
  for (int node = 0; node < count() && !nobody.empty(); ++node) {
    std::vector<Cohort> lost;
    for (const auto& [first, last] : store(node).memtable().arrivals().lost(sub_stream))
      lost.push_back({.sub_stream = sub_stream, .from = first, .to = last});
    if (ring_->all_alike()) {
      nobody = rows_within(nobody, lost);
      continue;
    }
    std::vector<Cohort> reached = rows_without(space(), ring_->held_by(node, nobody), to_cluster(node, lost));
    nobody = rows_without(space(), std::move(nobody), reached);
  }
  return rows_without(space(), std::move(members), nobody);
}

std::vector<Cohort> values_in(const TableStore& table, int sub_stream) { return find_members(table, sub_stream, true); }
std::vector<Cohort> members_in(const TableStore& table, int sub_stream) {
  return find_members(table, sub_stream, false);
}

std::vector<RowDeletesOf> deletes_in(const TableWorkload& workload) {
  std::vector<RowDeletesOf> deletes;
  for (int s = 0; s < static_cast<int>(workload.sub_streams().size()); ++s) {
    if (workload.sub_streams()[static_cast<std::size_t>(s)].brings() != Brings::row_tombstones) continue;
    if (workload.target_of(s) >= 0) deletes.push_back({.tombstones = s, .target = workload.target_of(s)});
  }
  return deletes;
}

SortedRows::SortedRows(std::vector<Cohort> rows) : rows_(std::move(rows)) {
  if (!std::ranges::is_sorted(rows_, {}, &Cohort::from)) return;
  std::int64_t reach = 0;
  for (const Cohort& part : rows_) reach_.push_back(reach = std::max(reach, part.to));
}

std::span<const Cohort> SortedRows::meeting(std::int64_t from, std::int64_t to) const {
  if (reach_.empty()) return rows_;
  const auto first = std::ranges::upper_bound(reach_, from) - reach_.begin();
  const auto last = std::ranges::lower_bound(rows_, to, {}, &Cohort::from) - rows_.begin();
  if (first >= last) return {};
  return std::span(rows_).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first));
}

std::vector<Cohort> SortedRows::within(std::span<const Cohort> cohorts) const {
  std::vector<Cohort> both;
  for (const Cohort& cohort : cohorts) {
    for (const Cohort& other : meeting(cohort.from, cohort.to)) {
      if (auto part = rows_in_both(cohort, other)) both.push_back(std::move(*part));
    }
  }
  return both;
}

std::vector<Cohort> SortedRows::missing_of(const ContentSpace& space, std::span<const Cohort> cohorts) const {
  std::vector<Cohort> missing;
  for (const Cohort& cohort : cohorts) {
    std::vector<Cohort> rest = rows_without(space, {cohort}, meeting(cohort.from, cohort.to));
    missing.insert(missing.end(), std::make_move_iterator(rest.begin()), std::make_move_iterator(rest.end()));
  }
  return missing;
}

}  // namespace windrow
