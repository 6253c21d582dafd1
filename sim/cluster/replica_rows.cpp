#include "sim/cluster/replica_rows.h"

#include <algorithm>

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

std::vector<Cohort> find_members(const TableStore& table, int sub_stream, bool with_values) {
  std::vector<Cohort> found;
  for (const auto& [id, file] : table.sstables()) add_members(file->content(), sub_stream, with_values, found);
  add_members(table.memtable().raw(), sub_stream, with_values, found);
  join_cohorts(found);
  return found;
}

}  // namespace

std::vector<Cohort> members_on(const TableStore& table, int sub_stream) {
  return find_members(table, sub_stream, false);
}

std::vector<Cohort> values_on(const TableStore& table, int sub_stream) { return find_members(table, sub_stream, true); }

std::vector<RowDeletesOf> deletes_in(const TableWorkload& workload) {
  std::vector<RowDeletesOf> deletes;
  for (int s = 0; s < static_cast<int>(workload.sub_streams().size()); ++s) {
    if (workload.sub_streams()[static_cast<std::size_t>(s)].brings() != Brings::row_tombstones) continue;
    if (workload.target_of(s) >= 0) deletes.push_back({.tombstones = s, .target = workload.target_of(s)});
  }
  return deletes;
}

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

}  // namespace windrow
