#include "sim/verify/pick.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>

#include "sim/stats/java_hash.h"
#include "sim/strategy/strategy.h"
#include "sim/strategy/unified.h"
#include "sim/verify/row_times.h"

namespace windrow {
namespace {

constexpr Seconds never_s = std::numeric_limits<Seconds>::max();
constexpr double flush_average_weight = 0.0046;  // rule 9.4

using Ids = std::vector<std::int64_t>;

std::string text(const Ids& ids) { return fmt::format("{}", fmt::join(ids, " ")); }

/// How the harness names a task (tests/oracle/README.md): a single input left to read counts as a tombstone compaction.
std::string kind_of(const CompactionOptions& options, const Pick& pick, std::size_t expired) {
  if (expired == pick.inputs.size()) return "expired_only";
  const bool by_type =
      std::holds_alternative<LeveledOptions>(options) || std::holds_alternative<UnifiedOptions>(options);
  const bool single = !by_type && pick.inputs.size() - expired == 1;
  return pick.kind == PickKind::tombstone || single ? "tombstone" : "normal";
}

class Replay {
 public:
  Replay(const OracleScenario& scenario, const Trace& trace, const ApplyCql& apply_cql, const TokensOf* tokens)
      : scenario_(scenario), trace_(trace), apply_cql_(apply_cql), tokens_(tokens), rows_(row_times(scenario)) {
    apply_cql_(settings_, trace.header.ddl);
    restart_strategy(scenario.start_s);
  }

  PickResult run();

 private:
  // The recording, event by event.
  template <class Event>
  const Event* next_if(Seconds t_s) const {
    if (at_ == trace_.events.size()) return nullptr;
    const auto* event = std::get_if<Event>(&trace_.events[at_]);
    return event != nullptr && event->t_s == t_s ? event : nullptr;
  }
  const TraceFlush* next_flush(Seconds t_s, std::string_view reason) const {
    const auto* flush = next_if<TraceFlush>(t_s);
    return flush != nullptr && flush->reason == reason ? flush : nullptr;
  }

  // The harness's order of actions.
  Seconds next_time_s() const;
  bool alter(Seconds t_s);
  bool commit(Seconds t_s, bool at_end);
  bool rows(Seconds t_s, bool pick);
  bool timed_flush(Seconds t_s);
  void pick_loop(Seconds t_s);
  void sample(Seconds t_s);
  void end();

  // What they change.
  void restart_strategy(Seconds t_s);
  void take_rows(std::size_t count);
  void apply_flush(const TraceFlush& flush);
  void apply_commit(const TraceCommit& commit);
  std::vector<SSTableView> enter(std::span<const TraceSSTable> files, bool in_hash_order);

  // What is compared.
  Answer ask(Seconds t_s);
  void compare_nothing(const Answer& answer);
  void compare_pick(const TracePick& recorded, const Answer& answer);
  void compare_task(const TracePick& recorded, const Pick& pick);
  void compare_state(const TracePick& recorded, const StrategyState& state);
  void compare_unified(const TracePick& recorded);
  void compare_live(Seconds t_s, const Ids& recorded);
  template <class Value>
  void compare(const char* what, const Value& expected, const Value& ours) {
    if (!(expected == ours)) disagree(what, fmt::format("{}", expected), fmt::format("{}", ours));
  }
  void disagree(const char* what, std::string expected, std::string ours);
  std::string state_text() const;

  const OracleScenario& scenario_;
  const Trace& trace_;
  const ApplyCql& apply_cql_;
  const TokensOf* tokens_;
  std::vector<RowTime> rows_;
  PickSettings settings_{};
  StrategyState state_{};
  LiveSet live_{};
  std::map<std::int64_t, std::unique_ptr<TraceEstimates>> files_{};
  std::map<std::int64_t, const TracePick*> running_{};
  std::size_t at_ = 0;  // next event
  std::size_t rows_taken_ = 0;
  std::size_t rows_at_reset_ = 0;  // the row counter's zero
  Micros memtable_min_us_ = no_timestamp;
  double flush_average_bytes_ = std::numeric_limits<double>::quiet_NaN();
  Seconds next_tick_s_ = 0;
  Seconds next_flush_s_ = never_s;
  Seconds next_sample_s_ = 0;
  std::size_t alters_ = 0;
  std::int64_t guesses_ = 0;
  bool guessed_ = false;         // in this call: its answer is no evidence
  std::int64_t null_loops_ = 0;  // since the last null_ticks
  // Of the call being compared:
  Seconds now_s_ = 0;
  std::int64_t pick_ = 0;
  const char* rule_ = "";
  PickResult result_{};
};

PickResult Replay::run() {
  next_tick_s_ = scenario_.start_s;
  next_sample_s_ = scenario_.start_s + scenario_.sample_every_s;
  if (scenario_.flush_every_s > 0) {
    next_flush_s_ =
        scenario_.start_s + (scenario_.flush_phase_s > 0 ? scenario_.flush_phase_s : scenario_.flush_every_s);
  }
  while (true) {
    const Seconds t_s = next_time_s();
    bool pick = alter(t_s);
    pick = commit(t_s, false) || pick;
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

Seconds Replay::next_time_s() const {
  Seconds t_s = std::min({scenario_.end_s, next_tick_s_, next_flush_s_, next_sample_s_});
  if (alters_ < scenario_.alters.size()) t_s = std::min(t_s, scenario_.alters[alters_].at_s);
  if (scenario_.flush_every_rows > 0) {
    const std::size_t full = rows_at_reset_ + static_cast<std::size_t>(scenario_.flush_every_rows);
    if (full <= rows_.size()) t_s = std::min(t_s, rows_[full - 1].arrival_s);
  }
  for (const auto& [number, pick] : running_) t_s = std::min(t_s, pick->commit_at_s.value_or(t_s));
  return t_s;
}

bool Replay::alter(Seconds t_s) {
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

bool Replay::commit(Seconds t_s, bool at_end) {
  bool any = false;
  while (const auto* recorded = next_if<TraceCommit>(t_s)) {
    const auto task = running_.find(recorded->pick);
    if (task == running_.end()) break;
    if (!at_end && task->second->commit_at_s != t_s) break;
    apply_commit(*recorded);
    any = true;
  }
  return any;
}

bool Replay::rows(Seconds t_s, bool pick) {
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

bool Replay::timed_flush(Seconds t_s) {
  if (t_s != next_flush_s_) return false;
  next_flush_s_ += scenario_.flush_every_s;
  rows_at_reset_ = rows_taken_;
  const TraceFlush* flush = next_flush(t_s, "timer");
  if (flush == nullptr) return false;
  apply_flush(*flush);
  return true;
}

void Replay::pick_loop(Seconds t_s) {
  bool any = false;
  const auto slots = static_cast<std::size_t>(scenario_.delayed() ? scenario_.compaction_slots : 1);
  while (running_.size() < slots) {
    while (const auto* change = next_if<TraceLevelChange>(t_s)) {
      live_.set_level(change->id, change->level);
      ++at_;
    }
    const std::int64_t guesses = guesses_;
    Answer answer = ask(t_s);
    guessed_ = guesses_ > guesses;
    result_.unknown += guessed_ ? 1 : 0;
    const auto* recorded = next_if<TracePick>(t_s);
    now_s_ = t_s;
    pick_ = recorded == nullptr ? 0 : recorded->pick;
    rule_ = answer.pick.rule;
    if (recorded == nullptr) {
      compare_nothing(answer);
      state_ = std::move(answer.state);
      if (!any) ++null_loops_;
      return;
    }
    any = true;
    compare_pick(*recorded, answer);
    state_ = std::move(answer.state);
    live_.set_compacting(recorded->inputs, true);
    running_.emplace(recorded->pick, recorded);
    ++at_;
    if (scenario_.delayed()) continue;
    if (const auto* done = next_if<TraceCommit>(t_s)) apply_commit(*done);
  }
}

void Replay::sample(Seconds t_s) {
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

void Replay::end() {
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

void Replay::restart_strategy(Seconds t_s) {
  live_.use(settings_.options);
  state_ = new_state(settings_.options, t_s * ms_per_s, &live_);
}

void Replay::take_rows(std::size_t count) {
  for (; rows_taken_ < count; ++rows_taken_) {
    memtable_min_us_ = std::min(memtable_min_us_, rows_[rows_taken_].timestamp_us);
  }
}

std::vector<SSTableView> Replay::enter(std::span<const TraceSSTable> files, bool in_hash_order) {
  std::vector<std::int32_t> hashes;
  for (const TraceSSTable& file : files) hashes.push_back(file.hash);
  std::vector<SSTableView> views;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const TraceSSTable& file = files[i];
    files_[file.id] = std::make_unique<TraceEstimates>(file, trace_.header.format == "bti",
                                                       settings_.min_index_interval, tokens_, guesses_);
    views.push_back(files_[file.id]->view());
  }
  if (!in_hash_order) return views;
  std::vector<SSTableView> ordered;
  for (const std::size_t index : hash_order(hashes)) ordered.push_back(views[index]);
  return ordered;
}

void Replay::apply_flush(const TraceFlush& flush) {
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

void Replay::apply_commit(const TraceCommit& commit) {
  now_s_ = commit.t_s;
  pick_ = commit.pick;
  const auto task = running_.find(commit.pick);
  compare("removed", text(task->second->inputs), text(commit.removed));
  running_.erase(task);
  std::vector<SSTableView> removed;
  for (const std::int64_t id : commit.removed) removed.push_back(live_.at(id));
  const std::vector<SSTableView> added = enter(commit.added, true);
  state_ = after_commit(settings_.options, state_, removed, added);
  live_.replace(commit.removed, added);
  for (const std::int64_t id : commit.removed) files_.erase(id);
  if (commit.live) compare_live(commit.t_s, *commit.live);
  ++at_;
}

Answer Replay::ask(Seconds t_s) {
  TableView view;
  view.now_ms = t_s * ms_per_s;
  view.gc_before_s = t_s - settings_.gc_grace_s;
  view.live = &live_;
  view.memtable_min_timestamp_us = memtable_min_us_;
  view.flush_average_bytes = flush_average_bytes_;
  return next_task(settings_.options, state_, view);
}

void Replay::compare_nothing(const Answer& answer) {
  ++result_.nulls;
  if (answer.pick.kind != PickKind::none && !guessed_) disagree("inputs", "nothing", text(answer.pick.inputs));
}

void Replay::compare_pick(const TracePick& recorded, const Answer& answer) {
  ++result_.picks;
  compare_live(recorded.t_s, recorded.live);
  compare("memtable_min_timestamp", recorded.memtable_min_timestamp_us.value_or(no_timestamp), memtable_min_us_);
  compare("gc_before", recorded.gc_before_s, recorded.t_s - settings_.gc_grace_s);
  Ids compacting;
  for (const auto& [number, pick] : running_)
    compacting.insert(compacting.end(), pick->inputs.begin(), pick->inputs.end());
  std::ranges::sort(compacting);
  compare("compacting", text(recorded.compacting), text(compacting));

  Ids inputs = answer.pick.inputs;
  std::ranges::sort(inputs);
  if (inputs != recorded.inputs) {
    const auto sizes = [&](const Ids& ids) {
      std::vector<Bytes> bytes;
      for (const std::int64_t id : ids) bytes.push_back(live_.at(id).data_bytes);
      std::ranges::sort(bytes);
      return bytes;
    };
    if (sizes(inputs) == sizes(recorded.inputs)) {
      ++result_.ties;
    } else if (!guessed_) {
      disagree("inputs", text(recorded.inputs), text(inputs));
    }
  } else {
    compare_task(recorded, answer.pick);
  }
  compare_state(recorded, answer.state);
  if (std::holds_alternative<UnifiedOptions>(settings_.options)) compare_unified(recorded);
}

void Replay::compare_task(const TracePick& recorded, const Pick& pick) {
  Ids expired = fully_expired(live_, recorded.inputs, recorded.gc_before_s, memtable_min_us_,
                              task_ignores_overlaps(settings_.options));
  std::ranges::sort(expired);
  compare("expired", text(recorded.expired), text(expired));
  compare("kind", recorded.kind, kind_of(settings_.options, pick, expired.size()));
  compare("level", recorded.level, pick.level);
  compare("pending", recorded.pending, pick.estimated_remaining);
  if (recorded.max_sstable_bytes) {
    const Bytes limit = pick.output_limit_bytes == 0 ? std::numeric_limits<Bytes>::max() : pick.output_limit_bytes;
    compare("max_sstable_bytes", *recorded.max_sstable_bytes, limit);
  }
  if (!recorded.ratio) return;
  for (const std::int64_t id : recorded.inputs) {
    if (std::ranges::binary_search(recorded.expired, id)) continue;
    compare("ratio", *recorded.ratio, live_.at(id).estimates->droppable_tombstone_ratio(recorded.gc_before_s));
  }
}

void Replay::compare_state(const TracePick& recorded, const StrategyState& state) {
  if (const auto* time_window = std::get_if<TimeWindowState>(&state)) {
    compare("highest_window_ms", recorded.highest_window_ms.value_or(-1), time_window->highest_window_ms);
    compare("last_expired_check_ms", recorded.last_expired_check_ms.value_or(-1), time_window->last_expired_check_ms);
  } else if (const auto* leveled = std::get_if<LeveledState>(&state)) {
    compare("last_compacted", fmt::format("{}", fmt::join(recorded.last_compacted, " ")),
            fmt::format("{}", fmt::join(leveled->last_compacted, " ")));
    compare("counters", fmt::format("{}", fmt::join(recorded.counters, " ")),
            fmt::format("{}", fmt::join(leveled->counters, " ")));
  } else if (const auto* unified = std::get_if<UnifiedState>(&state)) {
    compare("flush_ema", recorded.flush_average_bytes.value_or(-1), flush_average_bytes_);
    compare("flush_size", recorded.flush_size_bytes.value_or(-1), unified->flush_size_bytes);
  }
}

void Replay::compare_unified(const TracePick& recorded) {
  const auto& options = std::get<UnifiedOptions>(settings_.options);
  const Bytes flush_size =
      unified_flush_size(options, std::get<UnifiedState>(state_).flush_size_bytes, flush_average_bytes_);
  std::vector<const SSTableView*> idle = live_.in_live_order();
  std::erase_if(idle, [](const SSTableView* file) { return file->compacting; });
  const std::vector<UnifiedLevel> levels = unified_levels(options, idle, flush_size, 1.0);
  compare("ucs_levels", recorded.unified_levels.size(), levels.size());
  for (std::size_t i = 0; i < std::min(levels.size(), recorded.unified_levels.size()); ++i) {
    const TraceUnifiedLevel& expected = recorded.unified_levels[i];
    const UnifiedLevel& ours = levels[i];
    compare("ucs_levels fanout", expected.fanout, ours.scaling.fanout);
    compare("ucs_levels threshold", expected.threshold, ours.scaling.threshold);
    compare("ucs_levels max_density", expected.max_density, ours.max_density);
    compare("ucs_levels overlap", expected.overlap, ours.overlap);
    compare("ucs_levels ids", text(expected.ids), text(ours.files));
    compare("ucs_levels buckets", expected.buckets.size(), ours.buckets.size());
    for (std::size_t k = 0; k < std::min(expected.buckets.size(), ours.buckets.size()); ++k) {
      compare("ucs_levels bucket overlap", expected.buckets[k].overlap,
              static_cast<std::int64_t>(ours.buckets[k].overlap));
      compare("ucs_levels bucket ids", text(expected.buckets[k].ids), text(ours.buckets[k].files));
    }
  }
}

void Replay::compare_live(Seconds t_s, const Ids& recorded) {
  now_s_ = t_s;
  Ids ours;
  for (const SSTableView* file : live_.in_live_order()) ours.push_back(file->id);
  compare("live order", text(recorded), text(ours));
}

void Replay::disagree(const char* what, std::string expected, std::string ours) {
  result_.disagreements.push_back({.t_s = now_s_,
                                   .pick = pick_,
                                   .what = what,
                                   .state = state_text(),
                                   .expected = std::move(expected),
                                   .ours = std::move(ours),
                                   .rule = rule_});
}

std::string Replay::state_text() const {
  std::string files;
  for (const SSTableView* file : live_.in_live_order()) {
    files += fmt::format(" {}:{}{}", file->id, file->data_bytes, file->compacting ? "*" : "");
  }
  return fmt::format("{}; files (id:data_bytes, * compacting):{}", strategy_name(settings_.options), files);
}

}  // namespace

PickResult verify_picks(const OracleScenario& scenario, const Trace& trace, const ApplyCql& apply_cql,
                        const TokensOf* tokens) {
  return Replay(scenario, trace, apply_cql, tokens).run();
}

}  // namespace windrow
