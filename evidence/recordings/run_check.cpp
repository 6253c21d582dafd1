#include "evidence/recordings/run_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "evidence/recordings/oracle_repair.h"
#include "evidence/recordings/oracle_workload.h"
#include "evidence/recordings/pick_check.h"
#include "evidence/recordings/recording_check_events.h"
#include "evidence/recordings/recording_check_file.h"
#include "evidence/recordings/recording_check_schema.h"
#include "evidence/recordings/recording_check_state.h"
#include "evidence/recordings/statistics_off.h"

namespace windrow {
namespace {

using Ids = std::vector<std::int64_t>;

/// Plays the scenario by itself and holds what happens to the recording, in order. A step that the recording does not
/// have ends the comparison: two runs that parted have nothing more to say to each other. What a strategy chose, or
/// chose not to, is the pick test as well.
class RunCheck final : public HarnessObserver {
 public:
  RunCheck(const Recording& recording, const TableWorkload& workload, Replay replay)
      : recording_(recording),
        workload_(workload),
        events_(recording.trace),
        sessions_(recording.scenario),
        next_sample_s_(recording.scenario.start_s + recording.scenario.sample_every_s) {
    picks_.test = "pick";
    result_.test = "run";
    if (replay == Replay::as_run) off_.emplace();
  }

  void compare_header();
  Pick ask(TableStore& table, Seconds now_s);
  std::vector<Pick> major(TableStore& table, Seconds now_s);
  RunResults finish();

  void flushed(Seconds t_s, const char* reason, const TableStore& table, const Change& change) override;
  void picked(Seconds t_s, const TableStore& table, const Task& task) override;
  void committed(Seconds t_s, const TableStore& table, const Task& task, const Change& change) override;
  void found_nothing(Seconds t_s) override;
  void altered(Seconds t_s, const OracleAlter& alter) override;
  void repaired(Seconds t_s, const TableStore& table, const OracleRepair& repair,
                const std::vector<std::int64_t>& files) override;
  void repair_finished(Seconds t_s, const TableStore& table, const Pick& pick) override;
  void level_changed(Seconds t_s, const TableStore& table, const Task& task) override;

 private:
  /// Where explanations are: the step being compared.
  struct Step {
    Seconds t_s = 0;
    std::string where{};
    std::string rule{};
    bool choice = false;  // of a strategy: the pick test's
  };
  void disagree(const Step& step, const char* what, std::string expected, std::string ours,
                std::vector<std::string> state);
  void stop(const Step& step, const char* what, std::string expected, std::string ours, std::vector<std::string> state);
  /// Texts are made, and the state described, only for what differs.
  template <class Expected, class Ours, class State>
  void compare(const Step& step, const char* what, const Expected& expected, const Ours& ours, const State& state) {
    if (!(expected == ours)) disagree(step, what, fmt::format("{}", expected), fmt::format("{}", ours), state());
  }
  TellDifference tell(const Step& step, const TableStore& table, const Ids& inputs) {
    return [this, &step, &table, &inputs](const char* what, std::string expected, std::string ours) {
      disagree(step, what, std::move(expected), std::move(ours), describe_state(table, step.t_s, inputs));
    };
  }
  template <class Value, class State>
  void compare_bytes(const Step& step, const char* what, Value expected, Value ours, const State& state) {
    if (!off_) return compare(step, what, expected, ours, state);
    off_->see_bytes(what, static_cast<double>(expected), static_cast<double>(ours), step.where);
  }
  void count_if_same(std::string_view what, std::int64_t disagreements_before) {
    if (result_.disagreements == disagreements_before) result_.count(what);
  }
  /// Of files that have just gone to another instance, or to another level.
  void compare_levels(Seconds t_s, const TableStore& table);
  void compare_files(const Step& step, const TableStore& table, const Change& change,
                     const std::vector<TraceSSTable>& recorded, const std::function<std::vector<std::string>()>& state);
  /// Samples that were due before `t_s`, or at it if `also_now`: then with what is live since the last change.
  void samples_before(Seconds t_s, bool also_now);
  void compare_sample(Seconds t_s);
  void compare_null_loops(Seconds t_s);
  void compare_end();
  std::string next_pick() const { return fmt::format("pick {}", tasks_ + 1); }
  void remember_live(const TableStore& table);

  const Recording& recording_;
  const TableWorkload& workload_;
  RecordedEvents events_;
  SessionNumbers sessions_;
  TestResult picks_{};
  TestResult result_{};
  std::optional<StatisticsOff> off_{};  // where statistics may differ
  Seconds next_sample_s_ = 0;
  Ids live_{};
  Bytes live_bytes_ = 0;
  std::int64_t null_loops_ = 0;  // since the last sample
  std::int64_t flushes_ = 0;
  std::int64_t tasks_ = 0;
  std::string rule_{};  // of the last answer
  bool stopped_ = false;
};

void RunCheck::disagree(const Step& step, const char* what, std::string expected, std::string ours,
                        std::vector<std::string> state) {
  Explanation explanation{.t_s = step.t_s,
                          .where = step.where,
                          .what = what,
                          .expected = std::move(expected),
                          .ours = std::move(ours),
                          .rule = step.rule,
                          .state = std::move(state)};
  if (step.choice) picks_.disagree(explanation);
  result_.disagree(std::move(explanation));
}

void RunCheck::stop(const Step& step, const char* what, std::string expected, std::string ours,
                    std::vector<std::string> state) {
  disagree(step, what, std::move(expected), std::move(ours), std::move(state));
  if (!step.choice) picks_.notes.push_back(fmt::format("until {} at {}", step.where, utc_text(step.t_s)));
  stopped_ = true;
}

void RunCheck::compare_header() {
  const OracleScenario& scenario = recording_.scenario;
  const TraceHeader& header = recording_.trace.header;
  const Step step{.t_s = scenario.start_s, .where = "the header", .rule = ""};
  const auto no_state = [] { return std::vector<std::string>{}; };
  compare(step, "start", header.start_s, scenario.start_s, no_state);
  compare(step, "end", header.end_s, scenario.end_s, no_state);
  compare(step, "tick_s", header.tick_s, scenario.tick_s, no_state);
  compare(step, "format", header.format, scenario.format, no_state);
  compare(step, "compat", header.compat, scenario.compat, no_state);
  compare(step, "ddl", header.ddl, scenario.create_table(), no_state);
}

Pick RunCheck::ask(TableStore& table, Seconds now_s) {
  if (stopped_) return {};
  samples_before(now_s, false);
  const auto* recorded = events_.next_if<TracePick>(now_s);
  if (recorded != nullptr) {
    const Step step{.t_s = now_s, .where = next_pick(), .rule = "10.2 order of instances", .choice = true};
    compare_estimates(*recorded, table, tell(step, table, recorded->inputs));
  }
  Pick pick = table.ask(now_s);
  rule_ = pick.rule;
  const Ids inputs = sorted(pick.inputs);
  if (const auto* finished = events_.next_if<TraceRepairFinished>(now_s);
      finished != nullptr || pick.kind == PickKind::repair_finished) {
    const bool same = finished != nullptr && pick.kind == PickKind::repair_finished &&
                      inputs == sorted(finished->files) && pick.repaired_at_ms == finished->repaired_at_ms;
    if (same) return pick;
    stop({.t_s = now_s, .where = "a session's end", .rule = rule_, .choice = true}, "files", events_.next_text(),
         id_list(inputs), describe_state(table, now_s, inputs));
    return {};
  }
  if (recorded == nullptr && pick.kind == PickKind::none) {
    picks_.count("calls that find nothing");
    return pick;
  }
  if (recorded != nullptr && pick.kind != PickKind::none && inputs == sorted(recorded->inputs)) return pick;
  Ids of_interest = inputs;
  if (recorded != nullptr) of_interest.insert(of_interest.end(), recorded->inputs.begin(), recorded->inputs.end());
  stop({.t_s = now_s, .where = next_pick(), .rule = rule_, .choice = true}, "inputs",
       recorded != nullptr ? id_list(recorded->inputs) : "nothing, next is " + events_.next_text(),
       pick.kind == PickKind::none ? "nothing" : id_list(inputs), describe_state(table, now_s, of_interest));
  return {};
}

std::vector<Pick> RunCheck::major(TableStore& table, Seconds now_s) {
  if (stopped_) return {};
  samples_before(now_s, false);
  std::vector<Pick> picks = table.reserve_major(now_s);
  std::vector<Ids> tasks;
  for (const Pick& pick : picks) tasks.push_back(sorted(pick.inputs));
  rule_ = picks.empty() ? "" : picks.front().rule;
  const auto* recorded = events_.next_if<TraceMajor>(now_s);
  if (recorded != nullptr && recorded->tasks == tasks) {
    result_.count("major compactions");
    events_.take();
    return picks;
  }
  stop({.t_s = now_s, .where = "a major compaction", .rule = rule_, .choice = true}, "tasks",
       recorded == nullptr ? events_.next_text() : fmt::format("{}", recorded->tasks), fmt::format("{}", tasks),
       describe_state(table, now_s, {}));
  return {};
}

void RunCheck::found_nothing(Seconds) {
  if (!stopped_) ++null_loops_;
}

void RunCheck::picked(Seconds t_s, const TableStore& table, const Task& task) {
  if (stopped_) return;
  const auto* recorded = events_.next_if<TracePick>(t_s);
  const Step step{.t_s = t_s, .where = next_pick(), .rule = rule_, .choice = true};
  ++tasks_;
  if (recorded == nullptr || recorded->inputs != sorted(task.pick.inputs))
    return stop(step, "inputs", events_.next_text(), id_list(sorted(task.pick.inputs)), describe_task(task));
  const std::int64_t before = result_.disagreements;
  compare_pick(*recorded, table, task, sessions_, tell(step, table, recorded->inputs), off_ ? &*off_ : nullptr);
  if (result_.disagreements == before) picks_.count("picks");
  events_.take();
}

void RunCheck::flushed(Seconds t_s, const char* reason, const TableStore& table, const Change& change) {
  ++flushes_;
  if (stopped_) return;
  samples_before(t_s, false);
  const Step step{.t_s = t_s, .where = fmt::format("flush {}", flushes_), .rule = ""};
  const auto* recorded = events_.next_if<TraceFlush>(t_s);
  if (recorded == nullptr || recorded->reason != reason || recorded->added.size() != change.added.size()) {
    return stop(step, "events", events_.next_text(),
                fmt::format("a flush ({}) of {} SSTables at {}", reason, change.added.size(), utc_text(t_s)),
                describe_state(table, t_s, {}));
  }
  const std::int64_t before = result_.disagreements;
  compare_files(step, table, change, recorded->added, [&] {
    return std::vector<std::string>{fmt::format("a flush of {} writes", grouped(change.ledger.in))};
  });
  if (recorded->flush_average_bytes) {
    compare_bytes(step, "flush_ema", *recorded->flush_average_bytes, table.flush_average_bytes(),
                  [&] { return describe_state(table, t_s, {}); });
  }
  count_if_same("flushes", before);
  remember_live(table);
  events_.take();
}

void RunCheck::committed(Seconds t_s, const TableStore& table, const Task& task, const Change& change) {
  if (stopped_) return;
  // Tasks that still run at the end commit after its sample.
  samples_before(t_s, events_.next_if<TraceSample>(t_s) != nullptr || events_.next_if<TraceNullTicks>() != nullptr);
  const Step step{.t_s = t_s, .where = fmt::format("pick {}", task.number), .rule = task.pick.rule};
  const auto* recorded = events_.next_if<TraceCommit>(t_s);
  if (recorded == nullptr || recorded->pick != task.number || recorded->added.size() != change.added.size()) {
    return stop(
        step, "events", events_.next_text(),
        fmt::format("the commit of pick {} at {}, {} SSTables added", task.number, utc_text(t_s), change.added.size()),
        describe_task(task));
  }
  const std::int64_t before = result_.disagreements;
  const auto state = [&] { return describe_task(task); };
  compare(step, "removed", id_list(recorded->removed), id_list(sorted({change.removed.begin(), change.removed.end()})),
          state);
  compare_files(step, table, change, recorded->added, state);
  remember_live(table);
  if (recorded->live) compare(step, "live order", id_list(*recorded->live), id_list(live_), state);
  count_if_same("commits", before);
  events_.take();
}

void RunCheck::altered(Seconds t_s, const OracleAlter& alter) {
  if (stopped_) return;
  samples_before(t_s, false);
  const Step step{.t_s = t_s, .where = "ALTER TABLE", .rule = ""};
  const auto* recorded = events_.next_if<TraceAlter>(t_s);
  const std::string cql = recording_.scenario.alter_table(alter);
  if (recorded == nullptr) return stop(step, "events", events_.next_text(), cql, {});
  compare(step, "cql", recorded->cql, cql, [] { return std::vector<std::string>{}; });
  events_.take();
}

void RunCheck::repaired(Seconds t_s, const TableStore& table, const OracleRepair&,
                        const std::vector<std::int64_t>& files) {
  if (stopped_) return;
  samples_before(t_s, false);
  const Step step{.t_s = t_s, .where = "repair", .rule = ""};
  const auto* recorded = events_.next_if<TraceRepair>(t_s);
  if (recorded == nullptr || recorded->files != files) {
    return stop(step, "files", events_.next_text(), id_list(files), describe_state(table, t_s, files));
  }
  events_.take();
  compare_levels(t_s, table);
}

void RunCheck::repair_finished(Seconds t_s, const TableStore& table, const Pick& pick) {
  if (stopped_) return;
  const auto* recorded = events_.next_if<TraceRepairFinished>(t_s);
  const Step step{.t_s = t_s, .where = "a session's end", .rule = pick.rule, .choice = true};
  compare(step, "session", "pending " + recorded->session, sessions_.holder_text(pick.holder),
          [&] { return describe_state(table, t_s, pick.inputs); });
  remember_live(table);
  compare(step, "live order", id_list(recorded->live), id_list(live_),
          [&] { return describe_state(table, t_s, pick.inputs); });
  result_.count("ends of sessions");
  events_.take();
  compare_levels(t_s, table);
}

void RunCheck::level_changed(Seconds t_s, const TableStore& table, const Task& task) {
  if (stopped_) return;
  const auto* recorded = events_.next_if<TraceLevelChange>(t_s);
  if (recorded == nullptr || recorded->id != task.pick.inputs.front()) {
    return stop({.t_s = t_s, .where = fmt::format("pick {}", task.number), .rule = task.pick.rule, .choice = true},
                "events", events_.next_text(),
                fmt::format("SSTable {} to level {}", task.pick.inputs.front(), task.pick.level), describe_task(task));
  }
  result_.count("changes of level");
  compare_levels(t_s, table);
}

void RunCheck::compare_levels(Seconds t_s, const TableStore& table) {
  while (const auto* change = events_.next_if<TraceLevelChange>(t_s)) {
    const Step step{.t_s = t_s,
                    .where = fmt::format("SSTable {}", change->id),
                    .rule = "8.3 levels of files that move",
                    .choice = true};
    if (!table.live().contains(change->id))
      return stop(step, "events", events_.next_text(), "no such SSTable", describe_state(table, t_s, {}));
    compare(step, "level", change->level, table.live().at(change->id).level,
            [&] { return describe_state(table, t_s, {}); });
    events_.take();
  }
}

void RunCheck::compare_files(const Step& step, const TableStore& table, const Change& change,
                             const std::vector<TraceSSTable>& recorded,
                             const std::function<std::vector<std::string>()>& state) {
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    const FileComparison comparison = compare_identity(*change.added[i], recorded[i]);
    if (comparison.differences.empty()) result_.count("SSTables");
    const SSTableView& file = table.live().at(change.added[i]->id());
    // LeveledManifest may have sent the output back to level 0.
    compare({.t_s = step.t_s,
             .where = fmt::format("{}, SSTable {}", step.where, recorded[i].id),
             .rule = std::string(rule_of_field("file level"))},
            "file level", recorded[i].level, file.level, state);
    const std::string holder = recorded[i].pending_repair.empty()
                                   ? recorded[i].repaired_at_ms > 0 ? "repaired" : "unrepaired"
                                   : "pending " + recorded[i].pending_repair;
    compare(step, "repair status", fmt::format("{} {}", holder, recorded[i].repaired_at_ms),
            fmt::format("{} {}", sessions_.holder_text(holder_of(file.repair)), file.repair.repaired_at_ms), state);
    if (off_) off_->see(*change.added[i], recorded[i], comparison, step.where);
    for (const FieldDifference& difference : comparison.differences) {
      if (off_ && StatisticsOff::is_statistic(difference.field)) continue;
      disagree({.t_s = step.t_s,
                .where = fmt::format("{}, SSTable {}", step.where, recorded[i].id),
                .rule = std::string(rule_of_field(difference.field))},
               difference.field.c_str(), difference.expected, difference.ours, state());
    }
  }
}

void RunCheck::remember_live(const TableStore& table) {
  live_.clear();
  live_bytes_ = 0;
  for (const SSTableView* file : table.live().in_live_order()) {
    live_.push_back(file->id);
    live_bytes_ += file->data_bytes;
  }
}

void RunCheck::samples_before(Seconds t_s, bool also_now) {
  while (!stopped_ && next_sample_s_ <= recording_.scenario.end_s &&
         (next_sample_s_ < t_s || (also_now && next_sample_s_ == t_s))) {
    compare_sample(next_sample_s_);
    next_sample_s_ += recording_.scenario.sample_every_s;
  }
}

void RunCheck::compare_null_loops(Seconds t_s) {
  const auto* recorded = events_.next_if<TraceNullTicks>();
  const Step step{.t_s = t_s, .where = "null_ticks", .rule = ""};
  const std::int64_t expected = recorded == nullptr ? 0 : recorded->count;
  compare(step, "loops that find nothing", expected, null_loops_, [] { return std::vector<std::string>{}; });
  if (expected == null_loops_) result_.count("loops that find nothing", null_loops_);
  null_loops_ = 0;
  if (recorded != nullptr) events_.take();
}

void RunCheck::compare_sample(Seconds t_s) {
  compare_null_loops(t_s);
  const Step step{.t_s = t_s, .where = fmt::format("sample {}", utc_text(t_s)), .rule = ""};
  const auto* recorded = events_.next_if<TraceSample>(t_s);
  if (recorded == nullptr) {
    return stop(step, "events", events_.next_text(), "a sample at " + utc_text(t_s), {"live: " + id_list(live_)});
  }
  const std::int64_t before = result_.disagreements;
  const auto state = [&] { return std::vector<std::string>{"live: " + id_list(live_)}; };
  compare(step, "live order", id_list(recorded->live), id_list(live_), state);
  compare_bytes(step, "live_bytes", recorded->live_bytes, live_bytes_, state);
  count_if_same("samples", before);
  events_.take();
}

RunResults RunCheck::finish() {
  samples_before(recording_.scenario.end_s, true);
  if (!stopped_) compare_end();
  if (off_) off_->conclude(result_);
  return {.pick = std::move(picks_), .run = std::move(result_)};
}

void RunCheck::compare_end() {
  const Seconds end_s = recording_.scenario.end_s;
  compare_null_loops(end_s);
  const Step step{.t_s = end_s, .where = "the end", .rule = ""};
  const auto* recorded = events_.next_if<TraceEnd>(end_s);
  if (recorded == nullptr)
    return stop(step, "events", events_.next_text(), "the end at " + utc_text(end_s), {"live: " + id_list(live_)});
  const auto state = [&] { return std::vector<std::string>{"live: " + id_list(live_)}; };
  compare(step, "rows", recorded->rows, workload_.arrivals_before({.time = end_s}), state);
  compare(step, "flushes", recorded->flushes, flushes_, state);
  compare(step, "picks", recorded->picks, tasks_, state);
  compare(step, "live order", id_list(recorded->live), id_list(live_), state);
  events_.take();
  if (!events_.done()) stop(step, "events", events_.next_text(), "nothing more", {});
}

std::vector<RunResults> check_runs(std::span<const Recording> recordings, Replay replay, HarnessObserver* beside) {
  std::vector<std::unique_ptr<TableWorkload>> workloads;
  std::vector<std::unique_ptr<RunCheck>> checks;
  std::vector<PlayedTable> tables;
  for (const Recording& recording : recordings) {
    workloads.push_back(std::make_unique<TableWorkload>(oracle_workload(recording.scenario)));
    checks.push_back(std::make_unique<RunCheck>(recording, *workloads.back(), replay));
    RunCheck& check = *checks.back();
    check.compare_header();
    tables.push_back(
        {.scenario = &recording.scenario,
         .workload = workloads.back().get(),
         .schema = recorded_schema(recording.scenario, recording.scenario.create_table(), *workloads.back(), replay),
         .sizer = recorded_disk_sizes(recording),
         .picks = [&check](TableStore& table, Seconds now_s) { return check.ask(table, now_s); },
         .majors = [&check](TableStore& table, Seconds now_s) { return check.major(table, now_s); },
         .commit_times = recorded_commit_times(recording, replay),
         .observers = {&check}});
    if (beside != nullptr) tables.back().observers.push_back(beside);
  }
  play_together(tables);
  std::vector<RunResults> results;
  for (const auto& check : checks) results.push_back(check->finish());
  return results;
}

}  // namespace

RunResults check_run(const Recording& recording, Replay replay, HarnessObserver* beside) {
  return check_runs({&recording, 1}, replay, beside).front();
}

std::vector<RunResults> check_runs(std::span<const Recording> recordings, Replay replay) {
  return check_runs(recordings, replay, nullptr);
}

}  // namespace windrow
