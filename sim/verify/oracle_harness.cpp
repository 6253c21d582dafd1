#include "sim/verify/oracle_harness.h"

#include <algorithm>

#include "sim/base/arithmetic.h"

namespace windrow {

namespace {

constexpr Seconds never = INT64_MAX;

class Harness {
 public:
  Harness(const OracleScenario& scenario, const TableWorkload& workload, const HarnessSchema& schema, const DiskSizer& sizer,
          const PickSource& picks, HarnessObserver& observer)
      : scenario_(scenario),
        workload_(workload),
        schema_(schema),
        picks_(picks),
        observer_(observer),
        table_(workload, schema.created, scenario.start_s, sizer) {
    next_tick_ = scenario.start_s;
    next_sample_ = scenario.start_s + scenario.sample_every_s;
    if (scenario.flush_every_s > 0) {
      next_flush_ = scenario.start_s + (scenario.flush_phase_s > 0 ? scenario.flush_phase_s : scenario.flush_every_s);
    }
    next_row_flush_ = row_flush_after(0);
  }

  void run() {
    while (true) {
      const Seconds t = next_time();
      bool pick = alter(t);
      pick = commit(t) || pick;
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
      if (t == next_sample_) next_sample_ += scenario_.sample_every_s;
      if (t >= scenario_.end_s) break;
    }
    for (const auto& [at, task] : running_) commit_task(task, scenario_.end_s);
  }

 private:
  Seconds next_time() const {
    Seconds t = std::min({scenario_.end_s, next_tick_, next_flush_, next_sample_});
    if (alters_ < scenario_.alters.size()) t = std::min(t, scenario_.alters[alters_].at_s);
    if (next_row_flush_) t = std::min(t, row_flush_time());
    for (const auto& [at, task] : running_) t = std::min(t, at);
    return t;
  }

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
      observer_.altered(t, scenario_.alters[alters_]);
      table_.alter(std::move(settings), compaction_changed, t);
      flushed = flush(t, "alter") || flushed;
    }
    return flushed;
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
    observer_.flushed(t, reason, table_, change);
    return true;
  }

  void pick_loop(Seconds t) {
    while (static_cast<int>(running_.size()) < slots()) {
      Pick pick = picks_(table_, t);
      if (pick.kind == PickKind::none) {
        observer_.found_nothing(t);
        return;
      }
      Task task = table_.start(std::move(pick), t);
      observer_.picked(t, table_, task);
      if (scenario_.delayed()) {
        running_.emplace_back(commit_time(task, t), std::move(task));
      } else {
        commit_task(task, t);
      }
    }
  }

  int slots() const { return scenario_.delayed() ? scenario_.compaction_slots : 1; }

  Seconds commit_time(const Task& task, Seconds t) const {
    Seconds takes = scenario_.compaction_delay_s;
    if (scenario_.compaction_bytes_per_s > 0) takes += ceil_div(task.bytes_to_read, scenario_.compaction_bytes_per_s);
    return t + std::max<Seconds>(takes, 1);
  }

  void commit_task(const Task& task, Seconds t) {
    const Change change = table_.plan_commit(task, t);
    table_.apply_commit(task, change);
    observer_.committed(t, table_, task, change);
  }

  const OracleScenario& scenario_;
  const TableWorkload& workload_;
  const HarnessSchema& schema_;
  const PickSource& picks_;
  HarnessObserver& observer_;
  TableStore table_;
  std::vector<std::pair<Seconds, Task>> running_{};
  std::size_t alters_ = 0;
  Seconds next_tick_ = never;
  Seconds next_flush_ = never;
  Seconds next_sample_ = never;
  std::optional<ArrivalPlace> next_row_flush_{};
};

}  // namespace

void play(const OracleScenario& scenario, const TableWorkload& workload, const HarnessSchema& schema, const DiskSizer& sizer,
          const PickSource& picks, HarnessObserver& observer) {
  Harness(scenario, workload, schema, sizer, picks, observer).run();
}

}  // namespace windrow
