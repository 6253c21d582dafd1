#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/base/arithmetic.h"
#include "sim/base/due_times.h"
#include "sim/engine/events.h"
#include "sim/engine/executor.h"
#include "sim/engine/memory.h"
#include "sim/engine/session_ranges.h"
#include "sim/engine/snapshots.h"

namespace windrow {

/// Options of a table as the engine of one table takes them.
TableSettings table_settings(const Table& schema, const Scenario& scenario, int clustering_bytes);

/// What is written to each table of a scenario: made once, never changed, shared by all its nodes.
using Workloads = std::vector<std::shared_ptr<const TableWorkload>>;
Workloads make_workloads(const Scenario& scenario);

/// One node of a scenario, played from instant to instant: by run_node from start to end, or by a cluster, which stops
/// it at some instants to change it from outside.
class Node {
 public:
  static constexpr Micros never = std::numeric_limits<Micros>::max();

  /// Refuses what is not modelled with std::invalid_argument. What it is given outlives it.
  Node(const Scenario& scenario, const Workloads& workloads, RunObserver& observer, const RunOptions& options);
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  /// True when the end of the run has been played.
  bool ended() const { return ended_; }
  /// When something happens next; `never` after the end.
  Micros next_at() const;
  /// Plays what happens next.
  void play_next();
  /// Plays every instant until `at_us`, and that one too; then it is that time.
  void play_until(Micros at_us);
  /// Stops the run unless every row is where it must be.
  void check_balance() const;

  // What comes from outside, now.
  /// Memtables take in what has been written until now: for whoever looks into them.
  void take_arrivals() {
    for (OpenTable& table : tables_) take_writes(table);
  }
  /// False if there was nothing to write, or the node is down.
  bool flush(int t) { return flush(t, FlushReason::action, {.time = now_us_}); }
  /// Files of another replica arrive (TableStore::plan_stream); the node is up. Those that come at one time are there
  /// before a strategy is asked, as those of a session are (StreamReceiveTask, Cassandra 5.0.9): streams_are_in.
  std::vector<SSTablePtr> stream_in(int t, Content content, const RepairStatus& status);
  void streams_are_in(int t);
  /// Files that are not compacting become part of a session, repaired, or unrepaired again.
  void mark_repaired(int t, std::span<const std::int64_t> ids, const RepairStatus& status);
  /// An incremental repair begins (PendingAntiCompaction, CompactionManager.performAnticompaction, Cassandra 5.0.9):
  /// what compacts unrepaired files is stopped; those inside the ranges become the session's, those partly inside are
  /// divided, which takes no time. The node is up.
  Anticompacted begin_session(int t, const SessionRanges& session);
  /// It has ended (TableStore::end_session): a compaction thread that is idle gives its files their state at once.
  void end_session(int t, std::int64_t session, Millis repaired_at_ms);
  /// The process ends: compactions are lost, nothing arrives, is flushed or compacted; samples go on.
  void down();
  /// It starts again: memtables are written as the commit log has them, then all is as after a restart.
  void up();
  bool is_down() const { return down_; }
  /// Of a node that is down: memtables, commit log, files and snapshots are gone.
  void lose_disk();
  /// Which node it is, from 0: what that one loses (SubStream::lost_by) does not arrive.
  void lose_what_is_lost_by(int node);
  /// Nothing arrives, but it goes on by itself; and it is reached again.
  void cut_off();
  void reached_again();
  /// Writes that the node missed arrive now (TableStore::write_hinted); it is up.
  void hinted(int t, std::span<const Cohort> cohorts);
  /// What reads found that it lacks arrives now; it is up.
  void repaired_by_reads(int t, std::span<const KeyedPartition> writes);

  Micros now_us() const { return now_us_; }
  Seconds now_s() const { return now_us_ / us_per_s; }
  const Scenario& scenario() const { return scenario_; }
  int table_count() const { return static_cast<int>(tables_.size()); }
  const TableStore& table(int t) const { return *tables_[static_cast<std::size_t>(t)].store; }
  /// Options of table t as they are now (ALTERs applied).
  const windrow::Table& schema(int t) const { return *tables_[static_cast<std::size_t>(t)].schema; }
  std::span<const Job> jobs() const { return executor_.jobs(); }
  /// Candidates that wait for a thread.
  std::int64_t pending_candidates() const { return executor_.waiting(); }
  /// All components of all live files, temporary space of running compactions, snapshots, and what else lies on the
  /// disk.
  Bytes disk_used_bytes() const {
    return live_on_disk_ + temporary_bytes() + snapshots_.bytes() + scenario_.node.other_disk_bytes;
  }
  /// Bytes that only snapshots of the table keep.
  Bytes snapshot_bytes(int t) const { return snapshots_.bytes(t); }
  Bytes temporary_bytes() const { return static_cast<Bytes>(executor_.bytes_read(now_us_)); }
  Bytes memtable_heap_bytes(int t) const { return planner_->heap_bytes(t, now_us_); }

 private:
  static constexpr std::int64_t no_check = std::numeric_limits<std::int64_t>::max();

  /// A task that found too little space, and will again at each check until its answer can change.
  struct Refusal {
    RefusalEvent event{};
    Bytes disk_used_bytes = 0;
    std::int64_t next_check = 0;  // that would be refused again, not told yet
  };

  struct OpenTable {
    const TableWorkload* workload = nullptr;
    std::unique_ptr<TableStore> store{};
    const windrow::Table* schema = nullptr;
    std::size_t recorded_flushes = 0;
    std::int64_t recorded_writes = 0;
    std::int64_t accounted = -1;  // checks up to this one have moved the strategy's timers
    bool trigger_dropped = false;
    std::deque<Pick> majors{};  // tasks of a major compaction that wait for a thread
    bool dropped = false;
    std::optional<Refusal> refusal{};
  };

  void add_table(int t, const TableWorkload& workload);

  Bytes disk_bytes(int t, const DiskSize& size) const;

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
  /// The same, but within a check it is that one.
  std::int64_t check_to_finish() const { return std::max(check_from(now_us_), finished_check_ + 1); }
  Micros next_check_us() const;

  /// Writes arrive until now; those of recorded flushes arrive with their flush.
  void take_writes(OpenTable& table) const {
    const auto t = static_cast<std::size_t>(&table - tables_.data());
    if (table.dropped) return;
    if (scenario_.tables[t].flushes.empty()) table.store->write_until({.time = now_us_});
  }

  // ---------------------------------------------------------------- flushes

  void plan_flush();

  void flush_due();

  /// Writes before `place` go to disk; false if there are none.
  bool flush(int t, FlushReason reason, const ArrivalPlace& place);

  // ---------------------------------------------------------------- compactions

  bool enabled(int t) const {
    return table(t).strategy().common().enabled && !tables_[static_cast<std::size_t>(t)].dropped;
  }
  /// A trigger of this table would join the queue and choose when a thread is idle again, not at the trigger.
  bool would_wait(int t) const { return !executor_.has_idle_thread() && executor_.candidates(t) == 0 && enabled(t); }
  bool any_would_wait() const {
    return !executor_.has_idle_thread() && enabled_tables_ > std::ranges::count_if(executor_.tables_with_candidates(),
                                                                                   [&](int t) { return enabled(t); });
  }
  void count_enabled();

  /// Checks before `until` that were passed over have asked, found nothing and moved timers, unless their triggers were
  /// dropped. To be called before anything changes that they depend on: whether there are files, candidates and
  /// threads.
  void account(int t, std::int64_t until);
  void account_all() {
    for (int t = 0; t < table_count(); ++t) account(t, check_to_finish());
  }
  /// The same where only candidates and threads change: of tables without candidates no trigger is dropped.
  void account_candidates() {
    const std::int64_t until = check_to_finish();
    for (const int t : executor_.tables_with_candidates()) account(t, until);
  }

  /// Nothing to be found before this check. Where every check asks, there is always the next.
  void ask_again_at(int t, std::int64_t check) {
    tables_[static_cast<std::size_t>(t)].refusal.reset();
    if (!options_.ask_at_every_check) next_checks_.set(t, check);
  }

  /// CompactionManager.submitBackground (rule 10.4).
  void submit(int t);

  void run_candidates() {
    while (const std::optional<int> t = executor_.take()) run_candidate(*t);
  }

  void run_candidate(int t);

  void start(int t, Pick pick, bool major);

  /// The task as it fits on the disk, less and less of it (rules 10.8, 10.9); nothing if none of it does.
  std::optional<Task> start_within_space(int t, Pick pick, bool major);

  bool any_space_moved() const;

  /// Passes over the checks that would refuse the same pick again.
  void refuse_until_it_changes(const RefusalEvent& event, const Pick& pick);

  /// What was refused may fit now.
  bool space_moved(int t) const {
    const auto& refusal = tables_[static_cast<std::size_t>(t)].refusal;
    return refusal && (!executor_.jobs().empty() || refusal->disk_used_bytes != disk_used_bytes());
  }
  /// Checks before `until` that were passed over refused what was refused before: in order of time, then of tables.
  void tell_refusals(std::int64_t until);
  void tell_refusals_of(int t, std::int64_t until);

  void end_job();

  /// What the engine repeats for hours (one file rewritten as it was, for want of space or of tombstones) is repeated
  /// here for ever if reading takes no time.
  void refuse_to_stand_still(const Job& job, const Change& change);

  /// The background checks that are due now: every table once (rule 10.5;
  /// ColumnFamilyStore.getBackgroundCompactionTaskSubmitter).
  void check();
  /// From table t on the next that such a check may find anything of.
  int next_to_check(int t, std::int64_t check) const;

  // ---------------------------------------------------------------- operators

  /// Every change flushes (AbstractAllocatorMemtable.shouldSwitch, rule 12.4).
  void alter(const ChangeSpec& change);

  void act(const ActionSpec& action);

  void act_on(int t, ActionSpec::Kind kind);

  /// Running compactions of the table are lost; their inputs are free again.
  void abort_jobs(int t);
  /// The same, of unrepaired files alone.
  void abort_unrepaired(int t);
  void anticompact(int t, std::vector<std::int64_t> ids, const SessionRanges& session, Anticompacted& sum);

  /// nodetool compact (runWithCompactionsDisabled, getMaximalTasks): what runs is stopped, every file is read.
  void compact(int t);

  /// ColumnFamilyStore.snapshot: flushes first (rule 12.4).
  void take_snapshot(int t, bool scheduled, Micros expires_us);

  void take_scheduled_snapshots();

  /// TRUNCATE and DROP leave a snapshot (auto_snapshot) unless the table's rule says otherwise.
  void remove_files(int t, std::string_view why);

  /// Drained and started again: checks begin anew, running compactions are lost.
  void restart();
  void lose_compactions();
  /// Strategies and background checks of a process that has just started.
  void start_afresh();

  const Scenario& scenario_;
  RunObserver& observer_;
  const RunOptions& options_;
  Micros now_us_ = 0;
  Micros started_us_ = 0;
  bool down_ = false;
  bool ended_ = false;
  std::int64_t last_check_ = -1;      // that has been, or is
  std::int64_t finished_check_ = -1;  // that has been
  std::vector<OpenTable> tables_{};
  DueTimes next_checks_;                    // by table: the background check at which it is worth asking again
  std::vector<Millis> flush_periods_ms_{};  // by table
  std::vector<int> tables_of_recorded_{};   // whose flushes are recorded
  std::vector<int> tables_of_dropped_triggers_{};
  std::ptrdiff_t enabled_tables_ = 0;
  bool any_refusal_ = false;  // there may be one
  Executor executor_;
  Snapshots snapshots_;
  std::unique_ptr<FlushPlanner> planner_{};
  FlushPlanner::Due due_{.at_us = never};
  Micros next_sample_us_ = 0;
  Micros next_restart_us_ = never;
  Micros next_snapshot_us_ = never;
  std::size_t changes_ = 0;
  std::size_t actions_ = 0;
  std::vector<const ActionSpec*> missed_{};  // what the schema says now, and the node has not heard
  std::int64_t job_count_ = 0;
  Bytes live_on_disk_ = 0;
  std::int64_t fruitless_jobs_ = 0;  // in a row, at this instant
};

/// Runs one node of a scenario from start to end. Refuses what is not modelled with std::invalid_argument, before
/// anything happens.
void run_node(const Scenario& scenario, RunObserver& observer, const RunOptions& options);
/// A node of its own workloads.
void run_node(const Scenario& scenario, const Workloads& workloads, RunObserver& observer, const RunOptions& options);

}  // namespace windrow
