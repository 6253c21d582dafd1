#include "sim/engine/node.h"

#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

#include "sim/base/arithmetic.h"
#include "sim/base/check.h"
#include "sim/bytes/schema_shape.h"
#include "sim/scenario/scenario_workload.h"

namespace windrow {

namespace {

/// Files that may be rewritten in vain at one instant, one after the other: more than any table has.
constexpr std::int64_t most_fruitless_jobs = 20'000;

void refuse_what_is_not_modelled(const Scenario& scenario) {
  for (const TableSpec& table : scenario.tables) {
    if (table.per == TableSpec::Per::month)
      throw std::invalid_argument("table " + table.name + ": has not been split into its months");
  }
}

}  // namespace

TableSettings table_settings(const Table& schema, const Scenario& scenario, int clustering_bytes) {
  TableSettings settings;
  settings.keyspace = schema.keyspace.empty() ? scenario.keyspace : schema.keyspace;
  settings.name = schema.name;
  settings.sstables.format = scenario.node.format;
  settings.sstables.bloom_filter_fp_chance = schema.options.bloom_filter_fp_chance;
  settings.sstables.min_index_interval = schema.options.min_index_interval;
  settings.sstables.schema = schema_shape(schema);
  settings.clustering_bytes = clustering_bytes;
  settings.gc_grace_s = schema.options.gc_grace_seconds;
  settings.default_ttl_s = schema.options.default_time_to_live;
  settings.chunk_bytes = schema.options.chunk_bytes();
  settings.compaction = schema.options.compaction_options;
  return settings;
}

Workloads make_workloads(const Scenario& scenario) {
  refuse_what_is_not_modelled(scenario);
  Workloads workloads;
  for (int t = 0; t < std::ssize(scenario.tables); ++t)
    workloads.push_back(std::make_shared<const TableWorkload>(scenario_workload(scenario, t)));
  return workloads;
}

Node::Node(const Scenario& scenario, const Workloads& workloads, RunObserver& observer, const RunOptions& options)
    : scenario_(scenario),
      observer_(observer),
      options_(options),
      now_us_(scenario.start_us),
      started_us_(scenario.start_us),
      next_checks_(static_cast<int>(scenario.tables.size()), 0),
      executor_(scenario.node, static_cast<int>(scenario.tables.size())),
      snapshots_(static_cast<int>(scenario.tables.size())) {
  SIM_CHECK(workloads.size() == scenario.tables.size(), "a workload for every table");
  FlushPlanner::Tables weighed;
  for (int t = 0; t < std::ssize(scenario.tables); ++t) {
    add_table(t, *workloads[static_cast<std::size_t>(t)]);
    weighed.emplace_back(tables_.back().workload, &tables_.back().store->memtable().arrivals());
  }
  planner_ = std::make_unique<FlushPlanner>(scenario, weighed);
  for (const OpenTable& table : tables_) flush_periods_ms_.push_back(table.schema->options.memtable_flush_period_in_ms);
  count_enabled();
  next_sample_us_ = scenario.start_us;
  next_restart_us_ = scenario.node.restart_every_us > 0 ? scenario.start_us + scenario.node.restart_every_us : never;
  next_snapshot_us_ = scenario.node.snapshot_every_us > 0 ? scenario.start_us + scenario.node.snapshot_every_us : never;
  plan_flush();
}

void Node::check_balance() const {
  for (const OpenTable& table : tables_) table.store->check_balance();
}

void Node::add_table(int t, const TableWorkload& workload) {
  const TableSpec& spec = scenario_.tables[static_cast<std::size_t>(t)];
  OpenTable table;
  table.workload = &workload;
  table.schema = &spec.schema;
  int clustering_bytes = 0;
  for (const WriterSpec& writer : scenario_.writers) {
    if (writer.table == t) clustering_bytes = std::max(clustering_bytes, writer.clustering_bytes);
  }
  TableSettings settings = table_settings(spec.schema, scenario_, clustering_bytes);
  if (!options_.local_ranges.empty())
    settings.sstables.local_ranges = options_.local_ranges[static_cast<std::size_t>(t)];
  settings.sstables.closeness = closeness_of_run(workload, options_ever(scenario_, t), scenario_.exact_partitions);
  table.store =
      std::make_unique<TableStore>(workload, std::move(settings), scenario_.start_us / us_per_s,
                                   DiskSizer{.bytes = [this, t](const DiskSize& size) { return disk_bytes(t, size); }});
  const auto repairs = [t](const RepairSpec& repair) {
    return std::ranges::find(repair.tables, t) != repair.tables.end();
  };
  if (std::ranges::any_of(scenario_.repairs, repairs)) table.store->follow_repairs(scenario_.start_us / us_per_s);
  tables_.push_back(std::move(table));
  if (!spec.flushes.empty()) tables_of_recorded_.push_back(t);
}

void Node::count_enabled() {
  enabled_tables_ = 0;
  for (int t = 0; t < table_count(); ++t) enabled_tables_ += enabled(t) ? 1 : 0;
}

Bytes Node::disk_bytes(int t, const DiskSize& size) const {
  const TableSpec& spec = scenario_.tables[static_cast<std::size_t>(t)];
  if (!size.flush) return std::llround(static_cast<double>(size.uncompressed) * size.input_ratio);
  const auto number = static_cast<std::size_t>(size.number) - 1;
  if (number < spec.flushes.size() && spec.flushes[number].data_bytes > 0) {
    const Bytes recorded = spec.flushes[number].data_bytes;
    return mul_div_floor(recorded, size.before + size.uncompressed, size.all) -
           mul_div_floor(recorded, size.before, size.all);
  }
  return std::llround(static_cast<double>(size.uncompressed) * spec.compression_ratio);
}

Micros Node::next_check_us() const {
  if (down_) return never;
  std::int64_t check = next_checks_.earliest();
  if (any_would_wait() || any_space_moved()) check = std::min(check, coming_check());
  return check == no_check ? never : check_time(check);
}

Micros Node::next_at() const {
  if (ended_) return never;
  Micros at_us = std::min({executor_.next_end(), due_.at_us, next_check_us(), next_sample_us_, next_restart_us_,
                           next_snapshot_us_, snapshots_.next_expiry(), scenario_.end_us});
  if (changes_ < scenario_.changes.size()) at_us = std::min(at_us, scenario_.changes[changes_].at_us);
  if (actions_ < scenario_.actions.size()) at_us = std::min(at_us, scenario_.actions[actions_].at_us);
  return at_us;
}

void Node::play_until(Micros at_us) {
  while (next_at() <= at_us) play_next();
  SIM_CHECK(at_us >= now_us_ && at_us <= scenario_.end_us, "a node is played into its past or beyond its end");
  now_us_ = at_us;
}

void Node::play_next() {
  const Micros at_us = next_at();
  SIM_CHECK(at_us >= now_us_ && !ended_, "time goes back");
  if (at_us > now_us_) fruitless_jobs_ = 0;
  now_us_ = at_us;
  tell_refusals(check_from(now_us_));
  while (changes_ < scenario_.changes.size() && scenario_.changes[changes_].at_us == now_us_)
    alter(scenario_.changes[changes_++]);
  while (executor_.next_end() == now_us_) end_job();
  if (due_.at_us == now_us_ && now_us_ < scenario_.end_us) flush_due();
  while (actions_ < scenario_.actions.size() && scenario_.actions[actions_].at_us == now_us_)
    act(scenario_.actions[actions_++]);
  if (next_snapshot_us_ == now_us_) take_scheduled_snapshots();
  if (snapshots_.next_expiry() <= now_us_) snapshots_.expire(now_us_);
  if (next_restart_us_ == now_us_) restart();
  check();
  if (next_sample_us_ == now_us_ || now_us_ == scenario_.end_us) {
    for (OpenTable& table : tables_) take_writes(table);
    observer_.sampled(*this);
    next_sample_us_ += scenario_.sample_us;
  }
  ended_ = now_us_ == scenario_.end_us;
}

void Node::plan_flush() {
  if (down_) {
    due_ = {.at_us = never};
    return;
  }
  const auto next = planner_->next(now_us_, scenario_.end_us, flush_periods_ms_);
  due_ = next ? *next : FlushPlanner::Due{.at_us = never};
  for (const int t : tables_of_recorded_) {
    const auto& recorded = scenario_.tables[static_cast<std::size_t>(t)].flushes;
    const std::size_t next_recorded = tables_[static_cast<std::size_t>(t)].recorded_flushes;
    if (next_recorded >= recorded.size()) continue;
    const Micros at_us = std::max(now_us_, recorded[next_recorded].at_us);
    if (at_us < due_.at_us) due_ = {at_us, t, FlushReason::recorded};
  }
}

void Node::flush_due() {
  OpenTable& table = tables_[static_cast<std::size_t>(due_.table)];
  ArrivalPlace place{.time = now_us_};
  if (due_.reason == FlushReason::recorded) {
    const auto& recorded = scenario_.tables[static_cast<std::size_t>(due_.table)].flushes;
    table.recorded_writes += recorded[table.recorded_flushes++].operations;
    place = table.workload->place_after(table.recorded_writes, now_us_).value_or(place);
  }
  const FlushPlanner::Due due = due_;
  if (!flush(due.table, due.reason, place)) planner_->rearm(due.table, now_us_);
  plan_flush();
}

bool Node::flush(int t, FlushReason reason, const ArrivalPlace& place) {
  OpenTable& table = tables_[static_cast<std::size_t>(t)];
  if (table.dropped || down_) return false;
  const bool recorded = !scenario_.tables[static_cast<std::size_t>(t)].flushes.empty();
  if (!recorded || reason == FlushReason::recorded) table.store->write_until(place);
  if (table.store->memtable().empty()) return false;
  account(t, check_to_finish());  // as the table was until now
  const Change change = table.store->plan_flush(now_s());
  table.store->apply_flush(change);
  Bytes uncompressed = 0;
  for (const SSTablePtr& sstable : change.added) {
    uncompressed += sstable->extremes().uncompressed_bytes;
    live_on_disk_ += sstable->bytes_on_disk();
  }
  planner_->flushed(t, now_us_, uncompressed);
  observer_.flushed(*this, {.at_us = now_us_, .table = t, .reason = reason, .change = &change});
  submit(t);
  run_candidates();
  return true;
}

void Node::account(int t, std::int64_t until) {
  OpenTable& table = tables_[static_cast<std::size_t>(t)];
  const std::int64_t first = table.accounted + 1;
  if (first >= until) return;
  if (enabled(t) && !executor_.drops(t)) {
    table.store->skip_asks(check_time(first), scenario_.node.background_check_us, until - first);
  }
  table.accounted = until - 1;
}

void Node::submit(int t) {
  if (!enabled(t)) return;
  account(t, check_to_finish());
  if (executor_.drops(t)) {
    bool& trigger_dropped = tables_[static_cast<std::size_t>(t)].trigger_dropped;
    if (!trigger_dropped) tables_of_dropped_triggers_.push_back(t);
    trigger_dropped = true;
    return;
  }
  account_candidates();
  executor_.enqueue(t);
}

void Node::run_candidate(int t) {
  OpenTable& table = tables_[static_cast<std::size_t>(t)];
  take_writes(table);
  table.refusal.reset();
  if (!table.majors.empty()) {
    Pick pick = std::move(table.majors.front());
    table.majors.pop_front();
    table.store->release(pick);
    start(t, std::move(pick), true);
    return;
  }
  if (!enabled(t)) {
    executor_.finished(t);
    return;
  }
  Pick pick = table.store->ask(now_s());
  while (pick.kind == PickKind::repair_finished || pick.kind == PickKind::level_change) {
    // A task of no length, after which the table asks again.
    if (pick.kind == PickKind::level_change) {
      table.store->change_level(pick);
      observer_.level_changed(*this, {.at_us = now_us_, .table = t, .id = pick.inputs.front(), .level = pick.level});
    } else {
      table.store->finish_repair(pick, now_s());
    }
    pick = table.store->ask(now_s());
  }
  if (pick.kind != PickKind::none) {
    // A candidate at a time: the next check may find more while a thread is idle.
    ask_again_at(t, coming_check());
    start(t, std::move(pick), false);
    return;
  }
  account_candidates();
  executor_.finished(t);
  const Millis next_ms = table.store->next_interesting(now_s());
  ask_again_at(t, next_ms >= never / 2000 ? no_check : std::max(coming_check(), check_from(next_ms * 1000)));
}

void Node::start(int t, Pick pick, bool major) {
  std::optional<Task> task = start_within_space(t, std::move(pick), major);
  if (!task) return;
  account_candidates();
  Job job{.number = ++job_count_, .table = t, .task = std::move(*task), .started_us = now_us_, .major = major};
  job.bytes_left = static_cast<double>(job.task.bytes_to_read);
  job.output_bytes_max = job.task.bytes_to_read;
  observer_.started(*this, job);
  executor_.start(std::move(job), now_us_);
}

void Node::end_job() {
  account_candidates();
  const Job job = executor_.take_ended(now_us_);
  OpenTable& table = tables_[static_cast<std::size_t>(job.table)];
  take_writes(table);
  const Change change = table.store->plan_commit(job.task, now_s());
  const std::vector<SSTablePtr> removed = table.store->apply_commit(job.task, change);
  for (const SSTablePtr& sstable : removed) live_on_disk_ -= sstable->bytes_on_disk();
  snapshots_.left(job.table, removed);
  for (const SSTablePtr& sstable : change.added) live_on_disk_ += sstable->bytes_on_disk();
  observer_.committed(*this,
                      {.at_us = now_us_, .table = job.table, .job = &job, .change = &change, .removed = removed});
  refuse_to_stand_still(job, change);
  executor_.finished(job.table);
  if (job.major) {
    ask_again_at(job.table, coming_check());
  } else {
    submit(job.table);
  }
  run_candidates();
  for (const int t : tables_of_dropped_triggers_) {
    tables_[static_cast<std::size_t>(t)].trigger_dropped = false;
    ask_again_at(t, std::min(next_checks_.of(t), coming_check()));
  }
  tables_of_dropped_triggers_.clear();
}

void Node::refuse_to_stand_still(const Job& job, const Change& change) {
  const bool same = job.task.sources.size() == 1 && change.added.size() == 1 &&
                    change.added.front()->extremes().rows == job.task.sources.front()->extremes().rows;
  fruitless_jobs_ = same ? fruitless_jobs_ + 1 : 0;
  if (fruitless_jobs_ < most_fruitless_jobs) return;
  throw std::invalid_argument(
      fmt::format("table {}: compactions rewrite one file again and again as it was, and take no time: give [node] "
                  "compaction_throughput or merge_speed a value",
                  scenario_.tables[static_cast<std::size_t>(job.table)].name));
}

void Node::check() {
  if (down_) return;
  const std::int64_t now_check = check_from(now_us_);
  if (check_time(now_check) != now_us_) return;
  last_check_ = now_check;
  for (int t = next_to_check(0, now_check); t < table_count(); t = next_to_check(t + 1, now_check)) {
    OpenTable& table = tables_[static_cast<std::size_t>(t)];
    if (next_checks_.of(t) <= now_check || would_wait(t) ||
        (space_moved(t) && table.refusal->next_check <= now_check)) {
      next_checks_.set(t, options_.ask_at_every_check ? now_check + 1 : no_check);
      table.refusal.reset();
      submit(t);
      table.accounted = now_check;
      run_candidates();
    } else {
      account(t, now_check + 1);  // tables that follow may take the last thread
      tell_refusals_of(t, now_check + 1);
    }
  }
  finished_check_ = now_check;
}

int Node::next_to_check(int t, std::int64_t check) const {
  if (any_refusal_ || !executor_.has_idle_thread()) return t;
  const std::span<const int> candidates = executor_.tables_with_candidates();
  const auto candidate = std::ranges::lower_bound(candidates, t);
  const int due = next_checks_.next_due(t, check);
  return candidate == candidates.end() ? due : std::min(due, *candidate);
}

std::string_view flush_reason_name(FlushReason reason) {
  switch (reason) {
    case FlushReason::memtable_size:
      return "memtable_size";
    case FlushReason::heap:
      return "heap";
    case FlushReason::commit_log:
      return "commit_log";
    case FlushReason::period:
      return "period";
    case FlushReason::alter:
      return "alter";
    case FlushReason::action:
      return "action";
    case FlushReason::snapshot:
      return "snapshot";
    case FlushReason::recorded:
      return "recorded";
  }
  return "";
}

void run_node(const Scenario& scenario, RunObserver& observer, const RunOptions& options) {
  run_node(scenario, make_workloads(scenario), observer, options);
}

void run_node(const Scenario& scenario, const Workloads& workloads, RunObserver& observer, const RunOptions& options) {
  refuse_what_is_not_modelled(scenario);
  Node node(scenario, workloads, observer, options);
  for (std::int64_t steps = 0; !node.ended(); ++steps) {
    node.play_next();
    if (!node.ended() && options.go_on && steps % 64 == 0 && !options.go_on(node.now_us())) break;
  }
  node.check_balance();
}

}  // namespace windrow
