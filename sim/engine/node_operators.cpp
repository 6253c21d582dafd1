#include <utility>

#include "sim/base/check.h"
#include "sim/engine/node.h"

namespace windrow {

void Node::alter(const ChangeSpec& change) {
  OpenTable& table = tables_[static_cast<std::size_t>(change.table)];
  take_writes(table);
  account(change.table, check_to_finish());  // with the timers of the strategy as it was
  const bool compaction_changed = change.after.options.compaction != table.schema->options.compaction;
  TableSettings settings = table_settings(change.after, scenario_, table.store->settings().clustering_bytes);
  settings.sstables.closeness = table.store->settings().sstables.closeness;
  settings.sstables.local_ranges = table.store->settings().sstables.local_ranges;
  table.schema = &change.after;
  table.store->alter(std::move(settings), compaction_changed, now_s());
  count_enabled();
  flush_periods_ms_[static_cast<std::size_t>(change.table)] = change.after.options.memtable_flush_period_in_ms;
  planner_->altered(change.table);
  observer_.altered(*this, change);
  flush(change.table, FlushReason::alter, {.time = now_us_});
  ask_again_at(change.table, coming_check());
  plan_flush();
}

void Node::act(const ActionSpec& action) {
  using Kind = ActionSpec::Kind;
  if (down_) {  // nobody can be asked
    if (action.kind == Kind::drop) missed_.push_back(&action);
    return;
  }
  for (int t = 0; t < table_count(); ++t) {
    if (tables_[static_cast<std::size_t>(t)].dropped && action.kind != Kind::clear_snapshot) continue;
    if (action.table < 0 || action.table == t) act_on(t, action.kind);
  }
  if (action.kind == Kind::restart) restart();
  observer_.acted(*this, action);
  plan_flush();
}

void Node::act_on(int t, ActionSpec::Kind kind) {
  switch (kind) {
    case ActionSpec::Kind::flush:
      flush(t, FlushReason::action, {.time = now_us_});
      return;
    case ActionSpec::Kind::compact:
      compact(t);
      return;
    case ActionSpec::Kind::snapshot:
      take_snapshot(t, false, Snapshots::never);
      return;
    case ActionSpec::Kind::clear_snapshot:
      snapshots_.clear(t);
      return;
    case ActionSpec::Kind::truncate:
      remove_files(t, "truncated");
      return;
    case ActionSpec::Kind::drop:
      remove_files(t, "dropped");
      tables_[static_cast<std::size_t>(t)].dropped = true;
      count_enabled();
      planner_->closed(t, now_us_);
      return;
    case ActionSpec::Kind::cleanup:  // the node owns all that it holds: no file is rewritten
    case ActionSpec::Kind::restart:
      return;
  }
}

void Node::abort_jobs(int t) {
  account_all();
  OpenTable& table = tables_[static_cast<std::size_t>(t)];
  for (const Job& job : executor_.abort(t, now_us_)) table.store->abandon(job.task);
  for (const Pick& pick : table.majors) table.store->release(pick);
  table.majors.clear();
}

void Node::compact(int t) {
  abort_jobs(t);
  OpenTable& table = tables_[static_cast<std::size_t>(t)];
  for (Pick& pick : table.store->reserve_major(now_s())) {
    table.majors.push_back(std::move(pick));
    executor_.enqueue(t);
  }
  ask_again_at(t, coming_check());
  run_candidates();
}

void Node::take_snapshot(int t, bool scheduled, Micros expires_us) {
  flush(t, FlushReason::snapshot, {.time = now_us_});
  snapshots_.take(table(t), t, scheduled, expires_us);
}

void Node::take_scheduled_snapshots() {
  next_snapshot_us_ += scenario_.node.snapshot_every_us;
  if (down_) return;
  for (int t = 0; t < table_count(); ++t) {
    if (!tables_[static_cast<std::size_t>(t)].dropped) {
      take_snapshot(t, true, Snapshots::never);
      snapshots_.keep_newest(t, scenario_.node.keep_snapshots);
    }
  }
  plan_flush();
}

void Node::remove_files(int t, std::string_view why) {
  flush(t, FlushReason::action, {.time = now_us_});
  abort_jobs(t);
  OpenTable& table = tables_[static_cast<std::size_t>(t)];
  const DropRule& rule = scenario_.tables[static_cast<std::size_t>(t)].drop;
  if (rule.snapshot != DropRule::Snapshot::none) {
    const bool for_a_time = rule.snapshot == DropRule::Snapshot::for_a_time;
    snapshots_.take(*table.store, t, false, for_a_time ? now_us_ + rule.snapshot_kept_us : Snapshots::never);
  }
  const std::vector<SSTablePtr> removed = table.store->remove_all();
  for (const SSTablePtr& file : removed) live_on_disk_ -= file->bytes_on_disk();
  snapshots_.left(t, removed);
  observer_.gone(*this, {.at_us = now_us_, .table = t, .why = why, .removed = removed});
  table.store->space().tokens().forget();
  ask_again_at(t, coming_check());
  run_candidates();
}

void Node::restart() {
  if (next_restart_us_ == now_us_) next_restart_us_ += scenario_.node.restart_every_us;
  if (down_) return;
  for (int t = 0; t < table_count(); ++t) flush(t);
  lose_compactions();
  start_afresh();
}

void Node::lose_compactions() {
  account_all();
  for (const Job& job : executor_.abort_all()) tables_[static_cast<std::size_t>(job.table)].store->abandon(job.task);
  for (OpenTable& table : tables_) {
    for (const Pick& pick : table.majors) table.store->release(pick);
    table.majors.clear();
    table.trigger_dropped = false;
    table.refusal.reset();
  }
  tables_of_dropped_triggers_.clear();
}

void Node::start_afresh() {
  started_us_ = now_us_;
  last_check_ = finished_check_ = -1;
  for (OpenTable& table : tables_) {
    table.store->restart(now_s());
    table.accounted = -1;
  }
  for (int t = 0; t < table_count(); ++t) next_checks_.set(t, 0);
  observer_.restarted(*this);
  for (int t = 0; t < table_count(); ++t) submit(t);
  run_candidates();
  plan_flush();
}

void Node::down() {
  SIM_CHECK(!down_, "a node goes down once");
  for (OpenTable& table : tables_) {
    take_writes(table);
    table.store->stop_arrivals(now_us_);
  }
  planner_->arrivals_changed();
  lose_compactions();
  down_ = true;
  plan_flush();
}

void Node::up() {
  SIM_CHECK(down_, "a node comes up that is not down");
  down_ = false;
  for (OpenTable& table : tables_) table.store->resume_arrivals(now_us_);
  planner_->arrivals_changed();
  restart();
  for (const ActionSpec* action : std::exchange(missed_, {})) act(*action);
}

void Node::lose_disk() {
  SIM_CHECK(down_, "a node loses its disk while it runs");
  for (int t = 0; t < table_count(); ++t) {
    TableStore& store = *tables_[static_cast<std::size_t>(t)].store;
    store.lose_memtable();
    planner_->flushed(t, now_us_, 0);
    snapshots_.clear(t);
    const std::vector<SSTablePtr> removed = store.remove_all();
    for (const SSTablePtr& file : removed) live_on_disk_ -= file->bytes_on_disk();
    observer_.gone(*this, {.at_us = now_us_, .table = t, .why = "replaced", .removed = removed});
  }
}

void Node::lose_what_is_lost_by(int node) {
  for (OpenTable& table : tables_) table.store->lose_what_is_lost_by(node);
  planner_->arrivals_changed();
  plan_flush();
}

void Node::cut_off() {
  for (OpenTable& table : tables_) {
    take_writes(table);
    table.store->stop_arrivals(now_us_);
  }
  planner_->arrivals_changed();
  plan_flush();
}

void Node::reached_again() {
  for (OpenTable& table : tables_) table.store->resume_arrivals(now_us_);
  planner_->arrivals_changed();
  plan_flush();
}

void Node::hinted(int t, std::span<const Cohort> cohorts) {
  SIM_CHECK(!down_, "a node that is down is sent hints");
  OpenTable& table = tables_[static_cast<std::size_t>(t)];
  if (table.dropped) return;
  take_writes(table);
  account(t, check_to_finish());
  table.store->write_hinted(cohorts);
}

void Node::repaired_by_reads(int t, std::span<const KeyedPartition> writes) {
  SIM_CHECK(!down_, "a node that is down is sent repairs");
  OpenTable& table = tables_[static_cast<std::size_t>(t)];
  if (table.dropped) return;
  take_writes(table);
  account(t, check_from(now_us_));
  table.store->write_repaired(writes);
}

std::vector<SSTablePtr> Node::stream_in(int t, Content content, const RepairStatus& status) {
  SIM_CHECK(!down_, "a node that is down is sent files");
  OpenTable& table = tables_[static_cast<std::size_t>(t)];
  take_writes(table);
  account(t, check_to_finish());  // as the table was until now
  const Change change = table.store->plan_stream(std::move(content), status, now_s());
  table.store->apply_stream(change, now_s());
  for (const SSTablePtr& sstable : change.added) live_on_disk_ += sstable->bytes_on_disk();
  observer_.streamed(*this, {.at_us = now_us_, .table = t, .change = &change});
  return {change.added.begin(), change.added.end()};
}

void Node::streams_are_in(int t) {
  submit(t);
  run_candidates();
}

void Node::mark_repaired(int t, std::span<const std::int64_t> ids, const RepairStatus& status) {
  SIM_CHECK(!down_, "files of a node that is down are marked");
  OpenTable& table = tables_[static_cast<std::size_t>(t)];
  account(t, check_to_finish());
  table.store->set_repair_status(ids, status, now_s());
  ask_again_at(t, coming_check());
}

}  // namespace windrow
