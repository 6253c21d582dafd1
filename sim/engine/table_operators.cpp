// What operators do to a table: repaired files and levels, major compaction, DROP, ALTER, a restart.

#include <limits>

#include "sim/base/check.h"
#include "sim/engine/table_store.h"

namespace windrow {

void TableStore::finish_repair(const Pick& pick, Seconds now_s) {
  set_repair_status(pick.inputs, {.repaired_at_ms = pick.repaired_at_ms}, now_s);
}

void TableStore::change_level(const Pick& pick) {
  SIM_CHECK(pick.inputs.size() == 1, "one file changes its level at a time");
  const SSTableView before = live_.at(pick.inputs.front());
  SIM_CHECK(!before.compacting, "a file's level changes while it compacts");
  live_.set_level(before.id, pick.level);
  StrategyState& strategy = state_of(state_, pick.holder).strategy;
  strategy = live_.strategy().after_level_change(strategy, before);
}

void TableStore::follow_repairs(Seconds now_s) {
  live_.follow_repairs();
  follow_holders(now_s * ms_per_s, live_, state_);
}

void TableStore::set_repair_status(std::span<const std::int64_t> ids, const RepairStatus& status, Seconds now_s) {
  for (const std::int64_t id : ids) SIM_CHECK(!live_.at(id).compacting, "a file's status changes while it compacts");
  live_.set_repair_status(ids, status);
  follow_holders(now_s * ms_per_s, live_, state_);
}

std::vector<Pick> TableStore::reserve_major(Seconds now_s) {
  std::vector<Pick> picks;
  std::vector<Pick> finished;  // their files are in no other task of this compaction
  for (const auto& holder : live_.holders()) {
    const HolderKey& key = holder->key();
    if (key.kind == HolderKey::Kind::pending && ended_.contains(key.session)) {
      Pick& pick = finished.emplace_back();
      pick.repaired_at_ms = ended_.at(key.session);
      for (const FilePlace& place : holder->oldest_first()) pick.inputs.push_back(place.file->id);
      continue;
    }
    TableView own = view(now_s);
    own.holder = holder.get();
    for (Pick& pick : strategy().major_tasks(own)) {
      pick.holder = key;
      picks.push_back(std::move(pick));
    }
  }
  for (const Pick& pick : picks) live_.set_compacting(pick.inputs, true);
  for (const Pick& pick : finished) finish_repair(pick, now_s);
  return picks;
}

std::vector<SSTablePtr> TableStore::remove_all() {
  SIM_CHECK(live_.compacting_count() == 0 && memtable_.empty(), "a table is emptied while it is in use");
  std::vector<SSTablePtr> files;
  std::vector<std::int64_t> ids;
  for (const auto& [id, file] : sstables_) {
    files.push_back(file);
    ids.push_back(id);
    const Rows rows = file->counted_rows();
    rows_on_disk_ -= rows;
    balance_.dropped_with_files += rows;
  }
  sstables_.clear();
  live_.remove(ids);
  follow_holders(0, live_, state_);
  check_balance();
  return files;
}

void TableStore::alter(TableSettings settings, bool compaction_changed, Seconds now_s) {
  settings_ = std::move(settings);
  written_as_ = std::make_shared<const SSTableSettings>(settings_.sstables);
  if (!compaction_changed) return;
  renew_strategy(now_s);
}

void TableStore::restart(Seconds now_s) {
  renew_strategy(now_s);
  flush_average_bytes_ = std::numeric_limits<double>::quiet_NaN();
}

}  // namespace windrow
