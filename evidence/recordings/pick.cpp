#include "evidence/recordings/pick.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>

#include "evidence/recordings/pick_replay.h"
#include "sim/stats/java_hash.h"
#include "sim/strategy/major.h"

namespace windrow {
namespace {

constexpr double flush_average_weight = 0.0046;  // rule 9.4

using Ids = std::vector<std::int64_t>;

}  // namespace

PickResult PickReplay::run() {
  next_tick_s_ = scenario_.start_s;
  next_sample_s_ = scenario_.start_s + scenario_.sample_every_s;
  if (scenario_.flush_every_s > 0) {
    next_flush_s_ =
        scenario_.start_s + (scenario_.flush_phase_s > 0 ? scenario_.flush_phase_s : scenario_.flush_every_s);
  }
  while (true) {
    const Seconds t_s = next_time_s();
    bool pick = alter(t_s);
    pick = repair(t_s) || pick;
    pick = commit(t_s, false) || pick;
    pick = major(t_s) || pick;
    pick = rows(t_s, pick);
    pick = timed_flush(t_s) || pick;
    if (t_s == next_tick_s_) {
      next_tick_s_ += scenario_.tick_s;
      pick = true;
    }
    if (pick) pick_loop(t_s);
    if (t_s == next_sample_s_) sample(t_s);
    if (t_s >= scenario_.end_s) break;
  }
  commit(scenario_.end_s, true);
  end();
  result_.calls = result_.picks + result_.nulls;
  return std::move(result_);
}

Seconds PickReplay::next_time_s() const {
  Seconds t_s = std::min({scenario_.end_s, next_tick_s_, next_flush_s_, next_sample_s_});
  if (alters_ < scenario_.alters.size()) t_s = std::min(t_s, scenario_.alters[alters_].at_s);
  if (scenario_.flush_every_rows > 0) {
    const std::size_t full = rows_at_reset_ + static_cast<std::size_t>(scenario_.flush_every_rows);
    if (full <= rows_.size()) t_s = std::min(t_s, rows_[full - 1].arrival_s);
  }
  if (repairs_ < scenario_.repairs.size()) t_s = std::min(t_s, scenario_.repairs[repairs_].at_s);
  if (majors_ < scenario_.majors.size()) t_s = std::min(t_s, scenario_.majors[majors_]);
  for (const auto& [number, pick] : running_) t_s = std::min(t_s, pick->commit_at_s.value_or(t_s));
  return t_s;
}

bool PickReplay::alter(Seconds t_s) {
  bool flushed = false;
  for (; alters_ < scenario_.alters.size() && scenario_.alters[alters_].at_s == t_s; ++alters_) {
    const auto before = std::ranges::lower_bound(rows_, t_s, {}, &RowTime::arrival_s);
    take_rows(static_cast<std::size_t>(before - rows_.begin()));
    if (const auto* recorded = next_if<TraceAlter>(t_s)) {
      const OptionMap compaction = settings_.compaction;
      apply_cql_(settings_, recorded->cql);
      ++at_;
      if (compaction != settings_.compaction) restart_strategy(t_s);
    }
    if (const TraceFlush* flush = next_flush(t_s, "alter")) {
      apply_flush(*flush);
      flushed = true;
    }
  }
  return flushed;
}

bool PickReplay::repair(Seconds t_s) {
  bool any = false;
  for (; repairs_ < scenario_.repairs.size() && scenario_.repairs[repairs_].at_s == t_s; ++repairs_) {
    const OracleRepair& step = scenario_.repairs[repairs_];
    any = true;
    now_s_ = t_s;
    const auto* recorded = next_if<TraceRepair>(t_s);
    if (recorded == nullptr) {
      disagree("events", "no repair", "a repair");
      continue;
    }
    ++at_;
    if (step.to == OracleRepair::To::finish || step.to == OracleRepair::To::fail) {
      ended_[sessions_.of(step.session)] = recorded->repaired_at_ms;
      continue;
    }
    compare("repaired files", text(recorded->files), text(repaired_files(step, live_)));
    live_.set_repair_status(recorded->files, status_after(step, sessions_));
    follow_holders(settings_.options, t_s * ms_per_s, live_, state_);
    compare_levels(t_s);
  }
  return any;
}

bool PickReplay::finish_repair(Seconds t_s, const Pick& pick) {
  const auto* recorded = next_if<TraceRepairFinished>(t_s);
  const bool ours = pick.kind == PickKind::repair_finished;
  if (recorded == nullptr) {
    if (ours) disagree("repair_finished", "nothing", text(pick.inputs));
    return false;
  }
  Ids files = ours ? pick.inputs : Ids{};
  std::ranges::sort(files);
  compare("repair_finished",
          fmt::format("pending {}: {} at {}", recorded->session, text(recorded->files), recorded->repaired_at_ms),
          fmt::format("{}: {} at {}", sessions_.holder_text(pick.holder), text(files), pick.repaired_at_ms));
  live_.set_repair_status(recorded->files, {.repaired_at_ms = recorded->repaired_at_ms});
  follow_holders(settings_.options, t_s * ms_per_s, live_, state_);
  compare_live(t_s, recorded->live);
  ++at_;
  compare_levels(t_s);
  return true;
}

bool PickReplay::commit(Seconds t_s, bool at_end) {
  bool any = false;
  while (const auto* recorded = next_if<TraceCommit>(t_s)) {
    const auto task = running_.find(recorded->pick);
    if (task == running_.end()) break;
    if (!at_end && task->second->commit_at_s != t_s) break;
    apply_commit(*recorded);
    any = true;
  }
  if (at_end) return any;
  std::erase_if(running_, [&](const auto& task) {
    const bool due = task.second->commit_at_s <= t_s;
    if (due) disagree("events", "no commit", fmt::format("a commit of pick {}", task.first));
    return due;
  });
  return any;
}

bool PickReplay::major(Seconds t_s) {
  bool any = false;
  for (; majors_ < scenario_.majors.size() && scenario_.majors[majors_] == t_s; ++majors_) {
    any = true;
    now_s_ = t_s;
    const auto before = std::ranges::lower_bound(rows_, t_s, {}, &RowTime::arrival_s);
    take_rows(static_cast<std::size_t>(before - rows_.begin()));
    const auto* recorded = next_if<TraceMajor>(t_s);
    if (recorded == nullptr) {
      disagree("events", "no major compaction", "a major compaction");
      continue;
    }
    ++at_;
    if (const auto* pick = next_if<TracePick>(t_s)) pick_ = pick->pick;
    std::vector<Ids> tasks;
    for (const Pick& pick : major_tasks(settings_.options, view(t_s))) {
      rule_ = pick.rule;
      std::ranges::sort(tasks.emplace_back(pick.inputs));
    }
    compare("tasks of a major compaction", recorded->tasks, tasks);
    for (const Ids& task : recorded->tasks) live_.set_compacting(task, true);
    for (const Ids& task : recorded->tasks) {
      const auto* pick = next_if<TracePick>(t_s);
      if (pick == nullptr || !pick->major) break;
      pick_ = pick->pick;
      compare("inputs", text(pick->inputs), text(task));
      ++result_.picks;
      compare_before(*pick);
      compare_expired(*pick, {});
      ++at_;
      running_.emplace(pick->pick, pick);
      if (const auto* done = next_if<TraceCommit>(t_s)) apply_commit(*done);
    }
  }
  return any;
}

bool PickReplay::rows(Seconds t_s, bool pick) {
  const auto beyond = std::ranges::upper_bound(rows_, t_s, {}, &RowTime::arrival_s);
  const auto arrived = static_cast<std::size_t>(beyond - rows_.begin());
  const auto every = static_cast<std::size_t>(scenario_.flush_every_rows);
  while (every > 0 && rows_at_reset_ + every <= arrived) {
    take_rows(rows_at_reset_ + every);
    rows_at_reset_ += every;
    if (pick) pick_loop(t_s);
    pick = false;
    if (const TraceFlush* flush = next_flush(t_s, "rows")) {
      apply_flush(*flush);
      pick_loop(t_s);
    }
  }
  take_rows(arrived);
  return pick;
}

bool PickReplay::timed_flush(Seconds t_s) {
  if (t_s != next_flush_s_) return false;
  next_flush_s_ += scenario_.flush_every_s;
  rows_at_reset_ = rows_taken_;
  const TraceFlush* flush = next_flush(t_s, "timer");
  if (flush == nullptr) return false;
  apply_flush(*flush);
  return true;
}

void PickReplay::pick_loop(Seconds t_s) {
  bool any = false;
  const auto slots = static_cast<std::size_t>(scenario_.delayed() ? scenario_.compaction_slots : 1);
  while (running_.size() < slots) {
    while (const auto* change = next_if<TraceLevelChange>(t_s)) {
      live_.set_level(change->id, change->level);
      ++at_;
    }
    const std::int64_t guesses = guesses_;
    ManagerAnswer answer = ask(t_s);
    guessed_ = guesses_ > guesses;
    result_.unknown += guessed_ ? 1 : 0;
    const auto* recorded = next_if<TracePick>(t_s);
    now_s_ = t_s;
    pick_ = recorded == nullptr ? 0 : recorded->pick;
    rule_ = answer.pick.rule;
    if (finish_repair(t_s, answer.pick)) {
      any = true;
      continue;
    }
    if (recorded == nullptr) {
      compare_nothing(answer);
      state_ = std::move(answer.state);
      if (!any) ++null_loops_;
      return;
    }
    any = true;
    compare_pick(*recorded, answer);
    state_ = std::move(answer.state);
    if (recorded->changes_level()) {
      change_level(*recorded, answer.pick.holder);
      continue;
    }
    live_.set_compacting(recorded->inputs, true);
    running_.emplace(recorded->pick, recorded);
    ++at_;
    if (scenario_.delayed()) continue;
    if (const auto* done = next_if<TraceCommit>(t_s)) apply_commit(*done);
  }
}

void PickReplay::change_level(const TracePick& recorded, const HolderKey& holder) {
  ++at_;
  StrategyState& strategy = state_of(state_, holder).strategy;
  if (recorded.inputs.size() == 1 && std::holds_alternative<LeveledState>(strategy))
    strategy = after_level_change(strategy, live_.at(recorded.inputs.front()));
  const auto* change = next_if<TraceLevelChange>(recorded.t_s);
  const bool as_picked = change != nullptr && Ids{change->id} == recorded.inputs && change->level == recorded.level;
  if (!as_picked)
    return disagree("events", "no such change of level",
                    fmt::format("{} to level {}", text(recorded.inputs), recorded.level));
  live_.set_level(change->id, change->level);
  ++at_;
}

void PickReplay::sample(Seconds t_s) {
  next_sample_s_ += scenario_.sample_every_s;
  if (const auto* nothing = at_ < trace_.events.size() ? std::get_if<TraceNullTicks>(&trace_.events[at_]) : nullptr) {
    compare("null_ticks", nothing->count, null_loops_);
    ++at_;
  } else {
    compare("null_ticks", std::int64_t{0}, null_loops_);
  }
  result_.null_loops += null_loops_;
  null_loops_ = 0;
  const auto* recorded = next_if<TraceSample>(t_s);
  if (recorded == nullptr) return disagree("events", "no sample", "a sample");
  compare_live(t_s, recorded->live);
  ++at_;
}

void PickReplay::end() {
  if (const auto* nothing = at_ < trace_.events.size() ? std::get_if<TraceNullTicks>(&trace_.events[at_]) : nullptr) {
    compare("null_ticks", nothing->count, null_loops_);
    ++at_;
  }
  result_.null_loops += null_loops_;
  const auto* recorded = next_if<TraceEnd>(scenario_.end_s);
  if (recorded == nullptr) return disagree("events", "more events", "the end");
  compare("rows", recorded->rows, static_cast<Rows>(rows_.size()));
  compare_live(scenario_.end_s, recorded->live);
}

void PickReplay::restart_strategy(Seconds t_s) {
  live_.use(settings_.options);
  state_ = new_manager_state(settings_.options, t_s * ms_per_s, live_);
}

void PickReplay::take_rows(std::size_t count) {
  for (; rows_taken_ < count; ++rows_taken_) {
    memtable_min_us_ = std::min(memtable_min_us_, rows_[rows_taken_].timestamp_us);
  }
}

std::vector<SSTableView> PickReplay::enter(std::span<const TraceSSTable> files, bool in_hash_order) {
  std::vector<SSTableView> views;
  for (const TraceSSTable& file : files) {
    files_[file.id] = std::make_unique<TraceEstimates>(file, trace_.header.format == "bti",
                                                       settings_.min_index_interval, tokens_, guesses_);
    SSTableView& view = views.emplace_back(files_[file.id]->view());
    view.repair = {.repaired_at_ms = file.repaired_at_ms,
                   .pending_session = file.pending_repair.empty() ? 0 : sessions_.of(file.pending_repair)};
  }
  return in_hash_order ? windrow::in_hash_order(views, std::mem_fn(&SSTableView::hash)) : views;
}

void PickReplay::apply_flush(const TraceFlush& flush) {
  live_.add(enter(flush.added, false));
  Bytes bytes = 0;
  for (const TraceSSTable& file : flush.added) bytes += file.data_bytes;
  const auto flushed = static_cast<double>(bytes);
  flush_average_bytes_ = std::isnan(flush_average_bytes_)
                             ? flushed
                             : flush_average_bytes_ + flush_average_weight * (flushed - flush_average_bytes_);
  if (flush.flush_average_bytes) {
    now_s_ = flush.t_s;
    compare("flush_ema", *flush.flush_average_bytes, flush_average_bytes_);
    flush_average_bytes_ = *flush.flush_average_bytes;
  }
  memtable_min_us_ = no_timestamp;
  ++at_;
}

void PickReplay::apply_commit(const TraceCommit& commit) {
  now_s_ = commit.t_s;
  pick_ = commit.pick;
  const auto task = running_.find(commit.pick);
  compare("removed", text(task->second->inputs), text(commit.removed));
  running_.erase(task);
  std::vector<SSTableView> removed;
  for (const std::int64_t id : commit.removed) removed.push_back(live_.at(id));
  const std::vector<SSTableView> added = enter(commit.added, true);
  StrategyState& strategy = state_of(state_, holder_of(removed.front().repair)).strategy;
  strategy = after_commit(settings_.options, strategy, removed, added);
  live_.replace(commit.removed, added);
  follow_holders(settings_.options, commit.t_s * ms_per_s, live_, state_);
  for (const std::int64_t id : commit.removed) files_.erase(id);
  if (commit.live) compare_live(commit.t_s, *commit.live);
  ++at_;
}

TableView PickReplay::view(Seconds t_s) const {
  TableView view;
  view.now_ms = t_s * ms_per_s;
  view.gc_before_s = t_s - settings_.gc_grace_s;
  view.live = &live_;
  view.memtable_min_timestamp_us = memtable_min_us_;
  view.flush_average_bytes = flush_average_bytes_;
  return view;
}

ManagerAnswer PickReplay::ask(Seconds t_s) {
  return next_background_task(settings_.options, state_, ended_, view(t_s));
}

PickResult verify_picks(const OracleScenario& scenario, const Trace& trace, const ApplyCql& apply_cql,
                        const TokensOf* tokens) {
  return PickReplay(scenario, trace, apply_cql, tokens).run();
}

}  // namespace windrow
