#include "evidence/recordings/oracle_harness.h"

#include <algorithm>

#include "evidence/recordings/oracle_repair.h"
#include "sim/base/arithmetic.h"

namespace windrow {

namespace {

constexpr Seconds never = INT64_MAX;

/// Compaction slots of a node, and how many are taken.
struct Slots {
  int all = 1;
  int taken = 0;
};

class Harness {
 public:
  Harness(const PlayedTable& played, Slots& slots)
      : scenario_(*played.scenario),
        workload_(*played.workload),
        schema_(played.schema),
        picks_(played.picks),
        majors_of_(played.majors),
        commit_times_(played.commit_times),
        observers_(played.observers),
        slots_(slots),
        table_(workload_, schema_.created, scenario_.start_s, played.sizer),
        sessions_(scenario_) {
    if (!scenario_.repairs.empty()) table_.follow_repairs(scenario_.start_s);
    next_tick_ = scenario_.start_s;
    next_sample_ = scenario_.start_s + scenario_.sample_every_s;
    if (scenario_.flush_every_s > 0) {
      next_flush_ =
          scenario_.start_s + (scenario_.flush_phase_s > 0 ? scenario_.flush_phase_s : scenario_.flush_every_s);
    }
    next_row_flush_ = row_flush_after(0);
  }

  /// The second to play next; `never` after the end.
  Seconds next_time() const {
    if (ended_) return never;
    Seconds t = std::min({scenario_.end_s, next_tick_, next_flush_, next_sample_});
    if (alters_ < scenario_.alters.size()) t = std::min(t, scenario_.alters[alters_].at_s);
    if (repairs_ < scenario_.repairs.size()) t = std::min(t, scenario_.repairs[repairs_].at_s);
    if (majors_ < scenario_.majors.size()) t = std::min(t, scenario_.majors[majors_]);
    if (next_row_flush_) t = std::min(t, row_flush_time());
    for (const auto& [at, task] : running_) t = std::min(t, at);
    return t;
  }

  void play_second(Seconds t) {
    bool pick = alter(t);
    pick = repair(t) || pick;
    pick = commit(t) || pick;
    pick = major(t) || pick;
    pick = rows(t, pick);
    table_.write_until(after(t));
    if (t == next_flush_) {
      next_flush_ += scenario_.flush_every_s;
      next_row_flush_ = row_flush_after(workload_.arrivals_before(after(t)));
      pick = flush(t, "timer") || pick;
    }
    if (t == next_tick_) {
      next_tick_ += scenario_.tick_s;
      pick = true;
    }
    if (pick) pick_loop(t);
    if (t == next_sample_) {
      next_sample_ += scenario_.sample_every_s;
      tell(&HarnessObserver::sampled, t, table_);
    }
    if (t < scenario_.end_s) return;
    for (const auto& [at, task] : running_) commit_task(task, scenario_.end_s);
    slots_.taken -= static_cast<int>(running_.size());
    ended_ = true;
  }

 private:
  /// Everything that arrives up to second t; nothing arrives at the end.
  ArrivalPlace after(Seconds t) const { return {.time = std::min(t + 1, scenario_.end_s)}; }

  /// Second in which the write that fills the memtable arrives.
  Seconds row_flush_time() const { return next_row_flush_->time; }

  std::optional<ArrivalPlace> row_flush_after(std::int64_t arrivals) const {
    if (scenario_.flush_every_rows == 0) return std::nullopt;
    return workload_.place_after(arrivals + scenario_.flush_every_rows, scenario_.end_s);
  }

  bool alter(Seconds t) {
    bool flushed = false;
    for (; alters_ < scenario_.alters.size() && scenario_.alters[alters_].at_s == t; ++alters_) {
      table_.write_until({.time = t});
      TableSettings settings = table_.settings();
      const bool compaction_changed = schema_.alter(settings, scenario_.alters[alters_]);
      tell(&HarnessObserver::altered, t, scenario_.alters[alters_]);
      table_.alter(std::move(settings), compaction_changed, t);
      flushed = flush(t, "alter") || flushed;
    }
    return flushed;
  }

  bool repair(Seconds t) {
    bool any = false;
    for (; repairs_ < scenario_.repairs.size() && scenario_.repairs[repairs_].at_s == t; ++repairs_) {
      const OracleRepair& step = scenario_.repairs[repairs_];
      std::vector<std::int64_t> files;
      if (step.to == OracleRepair::To::finish) {
        table_.end_session(sessions_.of(step.session), sessions_.began_ms(step.session));
      } else if (step.to == OracleRepair::To::fail) {
        table_.end_session(sessions_.of(step.session), 0);
      } else {
        files = repaired_files(step, table_.live());
        table_.set_repair_status(files, status_after(step, sessions_), t);
      }
      tell(&HarnessObserver::repaired, t, table_, step, files);
      any = true;
    }
    return any;
  }

  bool commit(Seconds t) {
    bool any = false;
    for (auto task = running_.begin(); task != running_.end();) {
      if (task->first != t) {
        ++task;
        continue;
      }
      table_.write_until({.time = t});
      commit_task(task->second, t);
      task = running_.erase(task);
      --slots_.taken;
      any = true;
    }
    return any;
  }

  bool major(Seconds t) {
    bool any = false;
    for (; majors_ < scenario_.majors.size() && scenario_.majors[majors_] == t; ++majors_) {
      table_.write_until({.time = t});
      for (Pick& pick : majors_of_(table_, t)) {
        table_.release(pick);
        const Task task = table_.start(std::move(pick), t);
        tell(&HarnessObserver::picked, t, table_, task);
        commit_task(task, t);
      }
      any = true;
    }
    return any;
  }

  bool rows(Seconds t, bool pick) {
    while (next_row_flush_ && next_row_flush_->time == t) {
      table_.write_until(*next_row_flush_);
      const std::int64_t arrivals = workload_.arrivals_before(*next_row_flush_);
      if (pick) pick_loop(t);
      pick = false;
      if (flush(t, "rows")) pick_loop(t);
      next_row_flush_ = row_flush_after(arrivals);
    }
    return pick;
  }

  bool flush(Seconds t, const char* reason) {
    const Change change = table_.plan_flush(t);
    if (table_.memtable().empty()) return false;
    table_.apply_flush(change);
    if (change.added.empty()) return false;
    tell(&HarnessObserver::flushed, t, reason, table_, change);
    return true;
  }

  void pick_loop(Seconds t) {
    for (bool any = false; slots_.taken < slots_.all; any = true) {
      Pick pick = picks_(table_, t);
      if (pick.kind == PickKind::none) {
        if (!any) tell(&HarnessObserver::found_nothing, t);
        return;
      }
      if (pick.kind == PickKind::repair_finished) {
        table_.finish_repair(pick, t);
        tell(&HarnessObserver::repair_finished, t, table_, pick);
        continue;
      }
      Task task = table_.start(std::move(pick), t);
      tell(&HarnessObserver::picked, t, table_, task);
      if (task.pick.kind == PickKind::level_change) {
        table_.change_level(task.pick);
        tell(&HarnessObserver::level_changed, t, table_, task);
      } else if (scenario_.delayed()) {
        running_.emplace_back(commit_time(task, t), std::move(task));
        ++slots_.taken;
      } else {
        commit_task(task, t);
      }
    }
  }

  Seconds commit_time(const Task& task, Seconds t) const {
    Seconds takes = scenario_.compaction_delay_s;
    if (scenario_.compaction_bytes_per_s > 0) takes += ceil_div(task.bytes_to_read, scenario_.compaction_bytes_per_s);
    const Seconds computed = t + std::max<Seconds>(takes, 1);
    return commit_times_ ? commit_times_(t, computed) : computed;
  }

  template <class... Parameters, class... Arguments>
  void tell(void (HarnessObserver::*what)(Parameters...), const Arguments&... arguments) {
    for (HarnessObserver* observer : observers_) (observer->*what)(arguments...);
  }

  void commit_task(const Task& task, Seconds t) {
    const Change change = table_.plan_commit(task, t);
    table_.apply_commit(task, change);
    tell(&HarnessObserver::committed, t, table_, task, change);
  }

  const OracleScenario& scenario_;
  const TableWorkload& workload_;
  const HarnessSchema& schema_;
  const PickSource& picks_;
  const MajorSource& majors_of_;
  const CommitTimes& commit_times_;
  const std::vector<HarnessObserver*>& observers_;
  Slots& slots_;
  bool ended_ = false;
  TableStore table_;
  SessionNumbers sessions_;
  std::vector<std::pair<Seconds, Task>> running_{};
  std::size_t alters_ = 0;
  std::size_t repairs_ = 0;
  std::size_t majors_ = 0;
  Seconds next_tick_ = never;
  Seconds next_flush_ = never;
  Seconds next_sample_ = never;
  std::optional<ArrivalPlace> next_row_flush_{};
};

}  // namespace

void play(const PlayedTable& table) { play_together({table}); }

void play_together(const std::vector<PlayedTable>& tables) {
  const OracleScenario& first = *tables.front().scenario;
  Slots slots{.all = first.delayed() ? first.compaction_slots : 1};
  std::vector<std::unique_ptr<Harness>> harnesses;
  for (const PlayedTable& table : tables) harnesses.push_back(std::make_unique<Harness>(table, slots));
  while (true) {
    Seconds now_s = never;
    for (const auto& harness : harnesses) now_s = std::min(now_s, harness->next_time());
    if (now_s == never) return;
    for (const auto& harness : harnesses) {
      if (harness->next_time() == now_s) harness->play_second(now_s);
    }
  }
}

}  // namespace windrow
