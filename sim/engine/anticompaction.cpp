// What an incremental repair does to a node: anticompaction when it begins, files that take their state when it ends.

#include <algorithm>
#include <map>
#include <utility>
#include <variant>

#include "sim/base/check.h"
#include "sim/engine/node.h"

namespace windrow {

namespace {

bool is_unrepaired(const HolderKey& holder) { return holder.kind == HolderKey::Kind::unrepaired; }

/// AbstractCompactionStrategy.groupSSTablesForAntiCompaction: two files of a level at a time; with time windows one.
/// Which two the engine takes is not known: neighbours by age.
std::vector<std::vector<std::int64_t>> groups_of(std::span<const std::int64_t> ids, const LiveSet& live,
                                                 const CompactionOptions& options) {
  const std::size_t together = std::holds_alternative<TimeWindowOptions>(options) ? 1 : 2;
  std::map<int, std::vector<std::vector<std::int64_t>>> by_level;
  for (const std::int64_t id : ids) {
    auto& groups = by_level[live.at(id).level];
    if (groups.empty() || groups.back().size() == together) groups.emplace_back();
    groups.back().push_back(id);
  }
  std::vector<std::vector<std::int64_t>> all;
  for (auto& [level, groups] : by_level) all.insert(all.end(), groups.begin(), groups.end());
  return all;
}

}  // namespace

void Node::abort_unrepaired(int t) {
  account_all();
  OpenTable& table = tables_[static_cast<std::size_t>(t)];
  const auto unrepaired = [](const Job& job) { return is_unrepaired(job.task.pick.holder); };
  for (const Job& job : executor_.abort(t, now_us_, unrepaired)) table.store->abandon(job.task);
  std::erase_if(table.majors, [&](const Pick& pick) {
    if (!is_unrepaired(pick.holder)) return false;
    table.store->release(pick);
    return true;
  });
}

void Node::anticompact(int t, std::vector<std::int64_t> ids, const SessionRanges& session, Anticompacted& sum) {
  OpenTable& table = tables_[static_cast<std::size_t>(t)];
  sum.divided += std::ssize(ids);
  const int level = table.store->live().at(ids.front()).level;
  Pick pick{.kind = PickKind::anticompaction, .inputs = std::move(ids), .level = level, .rule = "anticompaction"};
  Job job{.number = ++job_count_, .table = t, .started_us = now_us_};
  job.task = table.store->start(std::move(pick), now_s());
  const Change change = table.store->plan_anticompaction(job.task, session, now_s());
  const std::vector<SSTablePtr> removed = table.store->apply_commit(job.task, change);
  for (const SSTablePtr& file : removed) live_on_disk_ -= file->bytes_on_disk();
  snapshots_.left(t, removed);
  for (const SSTablePtr& file : change.added) {
    live_on_disk_ += file->bytes_on_disk();
    sum.written_bytes += file->identity().data_bytes;
  }
  observer_.committed(*this, {.at_us = now_us_, .table = t, .job = &job, .change = &change, .removed = removed});
}

Anticompacted Node::begin_session(int t, const SessionRanges& session) {
  SIM_CHECK(!down_, "a node that is down takes part in a repair");
  Anticompacted sum;
  OpenTable& table = tables_[static_cast<std::size_t>(t)];
  if (table.dropped) return sum;
  take_writes(table);
  account(t, check_to_finish());
  abort_unrepaired(t);
  std::vector<std::int64_t> whole;
  std::vector<std::int64_t> partly;
  for (const auto& [id, file] : table.store->sstables()) {
    if (!is_unrepaired(holder_of(table.store->live().at(id).repair)) || !session.meets(*file)) continue;
    (session.covers(*file) ? whole : partly).push_back(id);
  }
  sum.marked = std::ssize(whole);
  if (!whole.empty()) table.store->set_repair_status(whole, {.pending_session = session.session}, now_s());
  for (std::vector<std::int64_t>& group : groups_of(partly, table.store->live(), table.store->settings().compaction))
    anticompact(t, std::move(group), session, sum);
  ask_again_at(t, coming_check());
  submit(t);
  run_candidates();
  return sum;
}

void Node::end_session(int t, std::int64_t session, Millis repaired_at_ms) {
  OpenTable& table = tables_[static_cast<std::size_t>(t)];
  account(t, check_to_finish());
  table.store->end_session(session, repaired_at_ms);
  if (down_ || table.dropped) return;
  ask_again_at(t, coming_check());
  submit(t);
  run_candidates();
}

}  // namespace windrow
