#include "sim/engine/node.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "sim/base/arithmetic.h"
#include "sim/base/check.h"
#include "sim/engine/executor.h"
#include "sim/engine/memory.h"
#include "sim/engine/scenario_workload.h"
#include "sim/engine/space_check.h"

namespace windrow {

namespace {

constexpr Micros never = std::numeric_limits<Micros>::max();
constexpr std::int64_t no_check = std::numeric_limits<std::int64_t>::max();

/// Histograms of files with more rows than this come from intervals (SSTableSettings::rows_to_look_at).
constexpr Rows rows_worth_a_look = 2000;

/// Files that may be rewritten in vain at one instant, one after the other: more than any table has.
constexpr std::int64_t most_fruitless_jobs = 20'000;

/// Larger fleets' first and last tokens are expected ones (ContentSpace::set_most_hashed_slots).
constexpr std::int64_t most_hashed_slots = 256;

TableSettings settings_of(const windrow::Table& schema, const Scenario& scenario, int clustering_bytes) {
  TableSettings settings;
  settings.keyspace = schema.keyspace.empty() ? scenario.keyspace : schema.keyspace;
  settings.name = schema.name;
  settings.sstables.format = scenario.node.format;
  settings.sstables.bloom_filter_fp_chance = schema.options.bloom_filter_fp_chance;
  settings.sstables.min_index_interval = schema.options.min_index_interval;
  settings.sstables.rows_to_look_at = rows_worth_a_look;
  settings.clustering_bytes = clustering_bytes;
  settings.gc_grace_s = schema.options.gc_grace_seconds;
  settings.default_ttl_s = schema.options.default_time_to_live;
  settings.compaction = schema.options.compaction_options;
  return settings;
}

class NodeRun final : public Node {
 public:
  NodeRun(const Scenario& scenario, RunObserver& observer, const RunOptions& options)
      : scenario_(scenario),
        observer_(observer),
        options_(options),
        now_us_(scenario.start_us),
        started_us_(scenario.start_us),
        executor_(scenario.node, static_cast<int>(scenario.tables.size())) {
    std::vector<const TableWorkload*> workloads;
    for (std::size_t t = 0; t < scenario.tables.size(); ++t) {
      add_table(static_cast<int>(t));
      workloads.push_back(tables_.back().workload.get());
    }
    planner_ = std::make_unique<FlushPlanner>(scenario, workloads);
    next_sample_us_ = scenario.start_us;
    next_restart_us_ = scenario.node.restart_every_us > 0 ? scenario.start_us + scenario.node.restart_every_us : never;
    plan_flush();
  }

  void run() {
    for (std::int64_t steps = 0; step(); ++steps) {
      if (options_.go_on && steps % 64 == 0 && !options_.go_on(now_us_)) break;
    }
    for (OpenTable& table : tables_) table.store->check_balance();
  }

  Micros now_us() const override { return now_us_; }
  const Scenario& scenario() const override { return scenario_; }
  int table_count() const override { return static_cast<int>(tables_.size()); }
  const TableStore& table(int t) const override { return *tables_[static_cast<std::size_t>(t)].store; }
  const windrow::Table& schema(int t) const override { return *tables_[static_cast<std::size_t>(t)].schema; }
  std::span<const Job> jobs() const override { return executor_.jobs(); }
  std::int64_t pending_candidates() const override { return executor_.waiting(); }
  Bytes disk_used_bytes() const override { return live_on_disk_ + temporary_bytes() + scenario_.node.other_disk_bytes; }
  Bytes temporary_bytes() const override { return static_cast<Bytes>(executor_.bytes_read(now_us_)); }
  Bytes memtable_heap_bytes(int t) const override { return planner_->heap_bytes(t, now_us_); }

 private:
  struct OpenTable {
    std::unique_ptr<TableWorkload> workload{};
    std::unique_ptr<TableStore> store{};
    const windrow::Table* schema = nullptr;
    std::size_t recorded_flushes = 0;
    std::int64_t recorded_writes = 0;
    std::int64_t next_check = 0;  // number of the background check at which it is worth asking again
    std::int64_t accounted = -1;  // checks up to this one have moved the strategy's timers
    bool trigger_dropped = false;
  };

  void add_table(int t) {
    const TableSpec& spec = scenario_.tables[static_cast<std::size_t>(t)];
    OpenTable table;
    table.workload = std::make_unique<TableWorkload>(scenario_workload(scenario_, t));
    table.schema = &spec.schema;
    int clustering_bytes = 0;
    for (const WriterSpec& writer : scenario_.writers) {
      if (writer.table == t) clustering_bytes = std::max(clustering_bytes, writer.clustering_bytes);
    }
    table.store = std::make_unique<TableStore>(*table.workload, settings_of(spec.schema, scenario_, clustering_bytes),
                                               scenario_.start_us / us_per_s,
                                               [this, t](const DiskSize& size) { return disk_bytes(t, size); });
    table.store->set_most_hashed_slots(most_hashed_slots);
    tables_.push_back(std::move(table));
  }

  Bytes disk_bytes(int t, const DiskSize& size) const {
    const TableSpec& spec = scenario_.tables[static_cast<std::size_t>(t)];
    if (!size.flush) return std::llround(static_cast<double>(size.uncompressed) * size.input_ratio);
    const auto number = static_cast<std::size_t>(size.number) - 1;
    if (number < spec.flushes.size() && spec.flushes[number].data_bytes > 0) return spec.flushes[number].data_bytes;
    return std::llround(static_cast<double>(size.uncompressed) * spec.compression_ratio);
  }

  // ---------------------------------------------------------------- time

  Micros check_time(std::int64_t check) const {
    return started_us_ + scenario_.node.first_check_us + check * scenario_.node.background_check_us;
  }
  /// First check at or after a time.
  std::int64_t check_from(Micros at_us) const {
    return std::max<std::int64_t>(
        0, ceil_div(at_us - started_us_ - scenario_.node.first_check_us, scenario_.node.background_check_us));
  }
  /// First check that is still to come: that of this instant comes after everything else.
  std::int64_t coming_check() const { return std::max(check_from(now_us_), last_check_ + 1); }
  Micros next_check_us() const {
    std::int64_t check = no_check;
    for (int t = 0; t < table_count(); ++t) {
      check = std::min(check, would_wait(t) ? coming_check() : tables_[static_cast<std::size_t>(t)].next_check);
    }
    return check == no_check ? never : check_time(check);
  }

  /// Everything that happens at the next instant, in this order; false at the end.
  bool step() {
    Micros at_us = std::min(
        {executor_.next_end(), due_.at_us, next_check_us(), next_sample_us_, next_restart_us_, scenario_.end_us});
    if (changes_ < scenario_.changes.size()) at_us = std::min(at_us, scenario_.changes[changes_].at_us);
    if (actions_ < scenario_.actions.size()) at_us = std::min(at_us, scenario_.actions[actions_].at_us);
    SIM_CHECK(at_us >= now_us_, "time goes back");
    if (at_us > now_us_) fruitless_jobs_ = 0;
    now_us_ = at_us;
    while (changes_ < scenario_.changes.size() && scenario_.changes[changes_].at_us == now_us_)
      alter(scenario_.changes[changes_++]);
    while (executor_.next_end() == now_us_) end_job();
    if (due_.at_us == now_us_ && now_us_ < scenario_.end_us) flush_due();
    while (actions_ < scenario_.actions.size() && scenario_.actions[actions_].at_us == now_us_)
      act(scenario_.actions[actions_++]);
    if (next_restart_us_ == now_us_) restart();
    check();
    if (next_sample_us_ == now_us_ || now_us_ == scenario_.end_us) {
      for (OpenTable& table : tables_) take_writes(table);
      observer_.sampled(*this);
      next_sample_us_ += scenario_.sample_us;
    }
    return now_us_ < scenario_.end_us;
  }

  /// Writes arrive until now; those of recorded flushes arrive with their flush.
  void take_writes(OpenTable& table) const {
    const auto t = static_cast<std::size_t>(&table - tables_.data());
    if (scenario_.tables[t].flushes.empty()) table.store->write_until({.time = now_us_});
  }

  // ---------------------------------------------------------------- flushes

  void plan_flush() {
    flush_periods_ms_.clear();
    for (const OpenTable& table : tables_)
      flush_periods_ms_.push_back(table.schema->options.memtable_flush_period_in_ms);
    const auto next = planner_->next(now_us_, scenario_.end_us, flush_periods_ms_);
    due_ = next ? *next : FlushPlanner::Due{.at_us = never};
    for (std::size_t t = 0; t < tables_.size(); ++t) {
      const auto& recorded = scenario_.tables[t].flushes;
      if (tables_[t].recorded_flushes >= recorded.size()) continue;
      const Micros at_us = std::max(now_us_, recorded[tables_[t].recorded_flushes].at_us);
      if (at_us < due_.at_us) due_ = {at_us, static_cast<int>(t), FlushReason::recorded};
    }
  }

  void flush_due() {
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

  /// Writes before `place` go to disk; false if there are none.
  bool flush(int t, FlushReason reason, const ArrivalPlace& place) {
    OpenTable& table = tables_[static_cast<std::size_t>(t)];
    const bool recorded = !scenario_.tables[static_cast<std::size_t>(t)].flushes.empty();
    if (!recorded || reason == FlushReason::recorded) table.store->write_until(place);
    if (table.store->memtable().empty()) return false;
    account(t, check_from(now_us_));  // as the table was until now
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

  // ---------------------------------------------------------------- compactions

  bool enabled(int t) const { return common_options(table(t).settings().compaction).enabled; }
  /// A trigger of this table would join the queue and choose when a thread is idle again, not at the trigger.
  bool would_wait(int t) const { return !executor_.has_idle_thread() && executor_.candidates(t) == 0 && enabled(t); }

  /// Checks before `until` that were passed over have asked, found nothing and moved timers, unless their triggers were
  /// dropped. To be called before anything changes that they depend on: whether there are files, candidates and
  /// threads.
  void account(int t, std::int64_t until) {
    OpenTable& table = tables_[static_cast<std::size_t>(t)];
    const std::int64_t first = table.accounted + 1;
    if (first >= until) return;
    if (enabled(t) && !executor_.drops(t)) {
      table.store->skip_asks(check_time(first), scenario_.node.background_check_us, until - first);
    }
    table.accounted = until - 1;
  }
  void account_all() {
    for (int t = 0; t < table_count(); ++t) account(t, check_from(now_us_));
  }

  /// Nothing to be found before this check. Where every check asks, there is always the next.
  void ask_again_at(OpenTable& table, std::int64_t check) const {
    if (!options_.ask_at_every_check) table.next_check = check;
  }

  /// submitBackground (rule 10.4).
  void submit(int t) {
    if (!enabled(t)) return;
    account(t, check_from(now_us_));
    if (executor_.drops(t)) {
      tables_[static_cast<std::size_t>(t)].trigger_dropped = true;
      return;
    }
    account_all();
    executor_.enqueue(t);
  }

  void run_candidates() {
    while (const std::optional<int> t = executor_.take()) run_candidate(*t);
  }

  void run_candidate(int t) {
    OpenTable& table = tables_[static_cast<std::size_t>(t)];
    take_writes(table);
    if (!enabled(t)) {
      executor_.finished(t);
      return;
    }
    Pick pick = table.store->ask(now_s());
    if (pick.kind != PickKind::none) {
      start(t, std::move(pick));
      // A candidate at a time: the next check may find more while a thread is idle.
      ask_again_at(table, coming_check());
      return;
    }
    account_all();
    executor_.finished(t);
    const Millis next_ms =
        next_interesting(table.store->settings().compaction, table.store->strategy_state(), table.store->view(now_s()));
    ask_again_at(table, next_ms >= never / 2000 ? no_check : std::max(coming_check(), check_from(next_ms * 1000)));
  }

  void start(int t, Pick pick) {
    OpenTable& table = tables_[static_cast<std::size_t>(t)];
    Task task = table.store->start(std::move(pick), now_s());
    if (scenario_.node.disk_bytes > 0) {
      const Bytes usable = scenario_.node.disk_bytes - disk_used_bytes();
      const Bytes available = available_for_compaction(usable);
      while (needed_bytes(task, executor_.bytes_left(now_us_)) > available) {
        std::optional<Pick> reduced = reduced_scope(*table.store, task);
        if (!reduced) {
          const Bytes needed = needed_bytes(task, executor_.bytes_left(now_us_));
          table.store->abandon(task);
          executor_.finished(t);
          observer_.refused(*this,
                            {.at_us = now_us_, .table = t, .needed_bytes = needed, .available_bytes = available});
          return;
        }
        table.store->abandon(task);
        task = table.store->start(std::move(*reduced), now_s());
      }
    }
    account_all();
    Job job{.number = ++job_count_, .table = t, .task = std::move(task), .started_us = now_us_};
    job.bytes_left = static_cast<double>(job.task.bytes_to_read);
    job.output_bytes_max = job.task.bytes_to_read;
    observer_.started(*this, job);
    executor_.start(std::move(job), now_us_);
  }

  void end_job() {
    account_all();
    const Job job = executor_.take_ended(now_us_);
    OpenTable& table = tables_[static_cast<std::size_t>(job.table)];
    take_writes(table);
    const Change change = table.store->plan_commit(job.task, now_s());
    std::vector<SSTablePtr> removed;
    for (const std::int64_t id : change.removed) removed.push_back(table.store->sstable(id));
    table.store->apply_commit(job.task, change);
    for (const SSTablePtr& sstable : removed) live_on_disk_ -= sstable->bytes_on_disk();
    for (const SSTablePtr& sstable : change.added) live_on_disk_ += sstable->bytes_on_disk();
    observer_.committed(*this,
                        {.at_us = now_us_, .table = job.table, .job = &job, .change = &change, .removed = removed});
    refuse_to_stand_still(job, change);
    executor_.finished(job.table);
    submit(job.table);
    run_candidates();
    for (OpenTable& other : tables_) {
      if (!other.trigger_dropped) continue;
      other.trigger_dropped = false;
      ask_again_at(other, std::min(other.next_check, coming_check()));
    }
  }

  /// What the engine repeats for hours (one file rewritten as it was, for want of space or of tombstones) is repeated
  /// here for ever if reading takes no time.
  void refuse_to_stand_still(const Job& job, const Change& change) {
    const bool same = job.task.sources.size() == 1 && change.added.size() == 1 &&
                      change.added.front()->extremes().rows == job.task.sources.front()->extremes().rows;
    fruitless_jobs_ = same ? fruitless_jobs_ + 1 : 0;
    if (fruitless_jobs_ < most_fruitless_jobs) return;
    throw std::invalid_argument(
        fmt::format("table {}: compactions rewrite one file again and again as it was, and take no time: give [node] "
                    "compaction_throughput or merge_speed a value",
                    scenario_.tables[static_cast<std::size_t>(job.table)].name));
  }

  /// The background checks that are due now: every table once (rule 10.5 c).
  void check() {
    const std::int64_t now_check = check_from(now_us_);
    if (check_time(now_check) != now_us_) return;
    last_check_ = now_check;
    for (int t = 0; t < table_count(); ++t) {
      OpenTable& table = tables_[static_cast<std::size_t>(t)];
      if (table.next_check <= now_check || would_wait(t)) {
        table.next_check = options_.ask_at_every_check ? now_check + 1 : no_check;
        submit(t);
        table.accounted = now_check;
        run_candidates();
      } else {
        account(t, now_check + 1);  // tables that follow may take the last thread
      }
    }
  }

  // ---------------------------------------------------------------- operators

  void alter(const ChangeSpec& change) {
    OpenTable& table = tables_[static_cast<std::size_t>(change.table)];
    take_writes(table);
    account(change.table, check_from(now_us_));  // with the timers of the strategy as it was
    const bool compaction_changed = change.after.options.compaction != table.schema->options.compaction;
    TableSettings settings = settings_of(change.after, scenario_, table.store->settings().clustering_bytes);
    table.schema = &change.after;
    table.store->alter(std::move(settings), compaction_changed, now_s());
    observer_.altered(*this, change);
    flush(change.table, FlushReason::alter, {.time = now_us_});
    ask_again_at(table, coming_check());
    plan_flush();
  }

  void act(const ActionSpec& action) {
    for (int t = 0; t < table_count(); ++t) {
      if (action.table >= 0 && action.table != t) continue;
      if (action.kind == ActionSpec::Kind::flush) {
        flush(t, FlushReason::action, {.time = now_us_});
      }
    }
    if (action.kind == ActionSpec::Kind::restart) restart();
    plan_flush();
  }

  /// Drained and started again: checks begin anew, running compactions are lost.
  void restart() {
    for (int t = 0; t < table_count(); ++t) flush(t, FlushReason::action, {.time = now_us_});
    account_all();
    for (const Job& job : executor_.abort_all()) tables_[static_cast<std::size_t>(job.table)].store->abandon(job.task);
    started_us_ = now_us_;
    last_check_ = -1;
    for (OpenTable& table : tables_) {
      table.store->restart(now_s());
      table.accounted = -1;
      table.trigger_dropped = false;
      table.next_check = 0;
    }
    if (next_restart_us_ == now_us_) next_restart_us_ += scenario_.node.restart_every_us;
    observer_.restarted(*this);
    for (int t = 0; t < table_count(); ++t) submit(t);
    run_candidates();
    plan_flush();
  }

  const Scenario& scenario_;
  RunObserver& observer_;
  const RunOptions& options_;
  Micros now_us_ = 0;
  Micros started_us_ = 0;
  std::int64_t last_check_ = -1;  // that has been
  std::vector<OpenTable> tables_{};
  std::vector<Millis> flush_periods_ms_{};  // by table; kept, so that no flush allocates it
  Executor executor_;
  std::unique_ptr<FlushPlanner> planner_{};
  FlushPlanner::Due due_{.at_us = never};
  Micros next_sample_us_ = 0;
  Micros next_restart_us_ = never;
  std::size_t changes_ = 0;
  std::size_t actions_ = 0;
  std::int64_t job_count_ = 0;
  Bytes live_on_disk_ = 0;
  std::int64_t fruitless_jobs_ = 0;  // in a row, at this instant
};

void refuse_what_is_not_modelled(const Scenario& scenario) {
  for (const ActionSpec& action : scenario.actions) {
    if (action.kind == ActionSpec::Kind::flush || action.kind == ActionSpec::Kind::restart) continue;
    throw std::invalid_argument("action " + action.name + ": only do = flush and do = restart are modelled yet");
  }
}

}  // namespace

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
    case FlushReason::recorded:
      return "recorded";
  }
  return "";
}

void run_node(const Scenario& scenario, RunObserver& observer, const RunOptions& options) {
  refuse_what_is_not_modelled(scenario);
  NodeRun(scenario, observer, options).run();
}

}  // namespace windrow
