#include "evidence/recordings/merge_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "evidence/recordings/oracle_workload.h"
#include "evidence/recordings/recording_check_events.h"
#include "evidence/recordings/recording_check_file.h"
#include "evidence/recordings/recording_check_schema.h"
#include "evidence/recordings/recording_check_state.h"
#include "evidence/recordings/statistics_off.h"

namespace windrow {
namespace {

constexpr int highest_level = 8;  // of leveled compaction

using Ids = std::vector<std::int64_t>;

}  // namespace

/// Follows the recording; from the first event that does not fit on, nothing can be said.
class MergeCheck final : public HarnessObserver {
 public:
  /// `beside`: of a play whose tasks are not the recording's but a strategy's.
  MergeCheck(const Recording& recording, Replay replay, bool beside) : events_(recording.trace), beside_(beside) {
    result_.test = "merge";
    if (replay == Replay::as_run) off_.emplace();
  }
  bool stopped() const { return stopped_; }

  Pick next_pick(const TableStore& table, Seconds now_s);
  std::vector<Pick> next_major(TableStore& table, Seconds now_s);
  TestResult finish();

  void flushed(Seconds t_s, const char* reason, const TableStore& table, const Change& change) override;
  void picked(Seconds t_s, const TableStore& table, const Task& task) override;
  void committed(Seconds t_s, const TableStore& table, const Task& task, const Change& change) override;
  void altered(Seconds t_s, const OracleAlter& alter) override;
  void repaired(Seconds t_s, const TableStore& table, const OracleRepair& repair,
                const std::vector<std::int64_t>& files) override;
  void repair_finished(Seconds t_s, const TableStore& table, const Pick& pick) override;
  void level_changed(Seconds t_s, const TableStore& table, const Task& task) override;

 private:
  /// Passes over what only asking can judge.
  void skip_unasked();
  /// Each of them is there, once, and in no task; stops if not.
  bool are_free(const TableStore& table, Seconds now_s, const std::string& where,
                const std::vector<std::int64_t>& inputs);
  void stop(Seconds t_s, std::string where, std::string ours, std::vector<std::string> state);
  void compare_files(Seconds t_s, const std::string& where, const TableStore& table, const Change& change,
                     const std::vector<TraceSSTable>& recorded, const std::function<std::vector<std::string>()>& state);
  /// Levels that files lose where they go to another instance.
  void skip_level_changes(Seconds t_s, const TableStore& table);

  RecordedEvents events_;
  bool beside_ = false;
  std::optional<StatisticsOff> off_{};  // where statistics may differ
  TestResult result_{};
  std::int64_t flushes_ = 0;
  double bytes_on_disk_off_ = 0;
  bool stopped_ = false;
};

void MergeCheck::skip_unasked() {
  while (events_.next_if<TraceNullTicks>() != nullptr || events_.next_if<TraceSample>() != nullptr ||
         (beside_ && events_.next_if<TraceMajor>() != nullptr))
    events_.take();
}

void MergeCheck::stop(Seconds t_s, std::string where, std::string ours, std::vector<std::string> state) {
  result_.disagree({.t_s = t_s,
                    .where = std::move(where),
                    .what = "events",
                    .expected = events_.next_text(),
                    .ours = std::move(ours),
                    .rule = "",
                    .state = std::move(state)});
  stopped_ = true;
}

bool MergeCheck::are_free(const TableStore& table, Seconds now_s, const std::string& where, const Ids& inputs) {
  Ids seen;
  for (const std::int64_t id : inputs) {
    const bool free = table.live().contains(id) && !table.live().at(id).compacting;
    if (!free || std::ranges::find(seen, id) != seen.end()) {
      stop(now_s, where, fmt::format("SSTable {} is not there to be picked", id), describe_state(table, now_s, inputs));
      return false;
    }
    seen.push_back(id);
  }
  return true;
}

Pick MergeCheck::next_pick(const TableStore& table, Seconds now_s) {
  if (stopped_) return {};
  skip_unasked();
  if (const auto* finished = events_.next_if<TraceRepairFinished>(now_s)) {
    return {.kind = PickKind::repair_finished, .inputs = finished->files, .repaired_at_ms = finished->repaired_at_ms};
  }
  const auto* recorded = events_.next_if<TracePick>(now_s);
  if (recorded == nullptr) return {};
  if (!are_free(table, now_s, fmt::format("pick {}", recorded->pick), recorded->inputs)) return {};
  if (recorded->inputs.empty() || recorded->level < 0 || recorded->level > highest_level) {
    stop(now_s, fmt::format("pick {}", recorded->pick), "no task has no input, or such a level", {});
    return {};
  }
  if (recorded->changes_level()) {
    if (table.strategy().has_levels() && recorded->inputs.size() == 1)
      return {.kind = PickKind::level_change, .inputs = recorded->inputs, .level = recorded->level};
    stop(now_s, fmt::format("pick {}", recorded->pick), "one SSTable of a leveled table changes its level at a time",
         {});
    return {};
  }
  const Bytes limit_bytes = recorded->max_sstable_bytes.value_or(0);
  return {.kind = recorded->kind == "expired_only" ? PickKind::expired_only : PickKind::normal,
          .inputs = recorded->inputs,
          .level = recorded->level,
          .output_limit_bytes = limit_bytes == std::numeric_limits<Bytes>::max() ? 0 : limit_bytes};
}

std::vector<Pick> MergeCheck::next_major(TableStore& table, Seconds now_s) {
  if (stopped_) return {};
  skip_unasked();
  const auto* recorded = events_.next_if<TraceMajor>(now_s);
  if (recorded == nullptr) {
    stop(now_s, "a major compaction", fmt::format("a major compaction at {}", utc_text(now_s)), {});
    return {};
  }
  std::vector<Pick> picks;
  for (const Ids& inputs : recorded->tasks) {
    if (!are_free(table, now_s, "a major compaction", inputs)) return {};
    Pick& pick = picks.emplace_back(table.strategy().major_task());
    pick.inputs = inputs;
    table.reserve(pick);
  }
  events_.take();
  return picks;
}

void MergeCheck::picked(Seconds t_s, const TableStore& table, const Task& task) {
  if (stopped_) return;
  skip_unasked();
  const auto* recorded = events_.next_if<TracePick>(t_s);
  if (recorded == nullptr || recorded->inputs != sorted(task.pick.inputs)) {
    return stop(t_s, fmt::format("pick {}", task.number), "a task of " + id_list(sorted(task.pick.inputs)),
                describe_task(task));
  }
  const Ids expired = sorted(task.expired);
  if (expired != recorded->expired) {
    result_.disagree({.t_s = t_s,
                      .where = fmt::format("pick {}", recorded->pick),
                      .what = "expired",
                      .expected = id_list(recorded->expired),
                      .ours = id_list(expired),
                      .rule = "4 fully expired SSTables",
                      .state = describe_state(table, t_s, recorded->inputs)});
  }
  events_.take();
}

void MergeCheck::flushed(Seconds t_s, const char* reason, const TableStore& table, const Change& change) {
  ++flushes_;
  if (stopped_) return;
  skip_unasked();
  const std::string where = fmt::format("flush {}", flushes_);
  const auto* recorded = events_.next_if<TraceFlush>(t_s);
  if (recorded == nullptr || recorded->reason != reason || recorded->added.size() != change.added.size()) {
    return stop(t_s, where,
                fmt::format("a flush ({}) of {} SSTables at {}", reason, change.added.size(), utc_text(t_s)), {});
  }
  compare_files(t_s, where, table, change, recorded->added, [&] {
    return std::vector<std::string>{fmt::format("flush for reason {}, of {} rows", reason, grouped(change.ledger.in))};
  });
  result_.count("flushes");
  events_.take();
}

void MergeCheck::committed(Seconds t_s, const TableStore& table, const Task& task, const Change& change) {
  if (stopped_) return;
  skip_unasked();
  const std::string where = fmt::format("pick {}", task.number);
  const auto* recorded = events_.next_if<TraceCommit>(t_s);
  if (recorded == nullptr || recorded->pick != task.number || recorded->added.size() != change.added.size()) {
    return stop(
        t_s, where,
        fmt::format("the commit of pick {} at {}, {} SSTables added", task.number, utc_text(t_s), change.added.size()),
        describe_task(task));
  }
  const Ids removed = sorted({change.removed.begin(), change.removed.end()});
  if (removed != recorded->removed) {
    result_.disagree({.t_s = t_s,
                      .where = where,
                      .what = "removed",
                      .expected = id_list(recorded->removed),
                      .ours = id_list(removed),
                      .rule = "",
                      .state = describe_task(task)});
  }
  compare_files(t_s, where, table, change, recorded->added, [&] { return describe_task(task); });
  if (recorded->live) {
    Ids live;
    for (const SSTableView* file : table.live().in_live_order()) live.push_back(file->id);
    if (live != *recorded->live) {
      result_.disagree({.t_s = t_s,
                        .where = where,
                        .what = "live order",
                        .expected = id_list(*recorded->live),
                        .ours = id_list(live),
                        .rule = "0.2a order of several outputs",
                        .state = describe_task(task)});
    }
  }
  result_.count("merges");
  events_.take();
}

void MergeCheck::altered(Seconds t_s, const OracleAlter&) {
  if (stopped_) return;
  skip_unasked();
  if (events_.next_if<TraceAlter>(t_s) == nullptr) {
    return stop(t_s, "ALTER TABLE", fmt::format("an ALTER TABLE at {}", utc_text(t_s)), {});
  }
  events_.take();
}

void MergeCheck::repaired(Seconds t_s, const TableStore& table, const OracleRepair&,
                          const std::vector<std::int64_t>& files) {
  if (stopped_) return;
  skip_unasked();
  const auto* recorded = events_.next_if<TraceRepair>(t_s);
  if (recorded == nullptr || recorded->files != files) {
    return stop(t_s, "repair", fmt::format("a repair of {} at {}", id_list(files), utc_text(t_s)),
                describe_state(table, t_s, files));
  }
  events_.take();
  skip_level_changes(t_s, table);
}

void MergeCheck::repair_finished(Seconds t_s, const TableStore& table, const Pick&) {
  if (stopped_) return;
  skip_unasked();
  events_.take();
  skip_level_changes(t_s, table);
}

void MergeCheck::level_changed(Seconds t_s, const TableStore& table, const Task&) { skip_level_changes(t_s, table); }

void MergeCheck::skip_level_changes(Seconds t_s, const TableStore& table) {
  while (const auto* change = events_.next_if<TraceLevelChange>(t_s)) {
    const int level = table.live().contains(change->id) ? table.live().at(change->id).level : -1;
    if (level != change->level) {
      return stop(t_s, "a level", fmt::format("SSTable {} at level {}", change->id, level), {});
    }
    events_.take();
  }
}

void MergeCheck::compare_files(Seconds t_s, const std::string& where, const TableStore& table, const Change& change,
                               const std::vector<TraceSSTable>& recorded,
                               const std::function<std::vector<std::string>()>& state) {
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    const SSTable& file = *change.added[i];
    const FileComparison comparison = compare_file(file, recorded[i], table.gc_before(t_s));
    const auto differing = static_cast<std::int64_t>(comparison.differences.size());
    result_.count("fields", comparison.fields - differing);
    if (differing == 0) result_.count("SSTables");
    if (off_) off_->see(file, recorded[i], comparison, where);
    for (const FieldDifference& difference : comparison.differences) {
      if (off_ && StatisticsOff::is_statistic(difference.field)) continue;
      result_.disagree({.t_s = t_s,
                        .where = fmt::format("{}, SSTable {}", where, recorded[i].id),
                        .what = difference.field,
                        .expected = difference.expected,
                        .ours = difference.ours,
                        .rule = std::string(rule_of_field(difference.field)),
                        .state = state()});
    }
    bytes_on_disk_off_ = std::max(bytes_on_disk_off_, bytes_on_disk_off(file, recorded[i]));
  }
}

TestResult MergeCheck::finish() {
  skip_unasked();
  if (!stopped_ && events_.next_if<TraceEnd>() == nullptr) stop(0, "the end", "the end", {});
  if (off_) {
    off_->conclude(result_);
  } else {
    result_.notes.push_back(fmt::format("bytes on disk within {:.1f} %", 100 * bytes_on_disk_off_));
  }
  return std::move(result_);
}

TestResult check_merges(const Recording& recording, Replay replay) {
  MergeCheck check(recording, replay, false);
  const TableWorkload workload = oracle_workload(recording.scenario);
  play({.scenario = &recording.scenario,
        .workload = &workload,
        .schema = recorded_schema(recording.scenario, recording.trace.header.ddl, workload, replay),
        .sizer = recorded_disk_sizes(recording),
        .picks = [&check](const TableStore& table, Seconds now_s) { return check.next_pick(table, now_s); },
        .majors = [&check](TableStore& table, Seconds now_s) { return check.next_major(table, now_s); },
        .commit_times = recorded_commit_times(recording, replay),
        .observers = {&check}});
  return check.finish();
}

MergesBeside::MergesBeside(const Recording& recording, Replay replay)
    : check_(std::make_unique<MergeCheck>(recording, replay, true)) {}

MergesBeside::~MergesBeside() = default;

HarnessObserver& MergesBeside::observer() { return *check_; }

std::optional<TestResult> MergesBeside::finish() {
  TestResult result = check_->finish();
  if (check_->stopped()) return std::nullopt;
  return result;
}

}  // namespace windrow
