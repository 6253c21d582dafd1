#include "evidence/recordings/pick_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <variant>

#include "evidence/recordings/recording_check_state.h"
#include "sim/strategy/unified.h"

namespace windrow {
namespace {

using Ids = std::vector<std::int64_t>;

/// How the harness names a task (tests/oracle/README.md): a single input left to read counts as a tombstone compaction.
std::string_view kind_of(const CompactionOptions& options, const Task& task) {
  const std::size_t read = task.pick.inputs.size() - task.expired.size();
  if (read == 0) return "expired_only";
  const bool by_type =
      std::holds_alternative<LeveledOptions>(options) || std::holds_alternative<UnifiedOptions>(options);
  return task.pick.kind == PickKind::tombstone || (read == 1 && !by_type) ? "tombstone" : "normal";
}

class PickCheck {
 public:
  PickCheck(const TracePick& recorded, const TableStore& table, const Task& task, const TellDifference& tell,
            StatisticsOff* off)
      : recorded_(recorded), table_(table), task_(task), tell_(tell), off_(off) {}

  void compare_surroundings();
  void compare_task();
  void compare_state();

 private:
  template <class Expected, class Ours>
  void compare(const char* what, const Expected& expected, const Ours& ours) {
    if (!(expected == ours)) tell_(what, fmt::format("{}", expected), fmt::format("{}", ours));
  }
  void compare_bytes(const char* what, double expected, double ours) {
    if (off_ == nullptr) return compare(what, expected, ours);
    off_->see_bytes(what, expected, ours, fmt::format("pick {}", recorded_.pick));
  }
  void compare_unified_levels(Bytes flush_size_bytes);

  const TracePick& recorded_;
  const TableStore& table_;
  const Task& task_;
  const TellDifference& tell_;
  StatisticsOff* off_ = nullptr;
};

void PickCheck::compare_surroundings() {
  Ids live;
  Ids compacting;
  for (const SSTableView* file : table_.live().in_live_order()) {
    live.push_back(file->id);
    const bool of_this_task = std::ranges::find(recorded_.inputs, file->id) != recorded_.inputs.end();
    if (file->compacting && !of_this_task) compacting.push_back(file->id);
  }
  compare("live order", id_list(recorded_.live), id_list(live));
  compare("compacting", id_list(recorded_.compacting), id_list(sorted(compacting)));
  compare("gc_before", recorded_.gc_before_s, task_.gc_before_s);
  compare("memtable_min_timestamp", recorded_.memtable_min_timestamp_us.value_or(no_timestamp),
          table_.memtable().min_timestamp_us());
}

void PickCheck::compare_task() {
  const Pick& pick = task_.pick;
  compare("pick", recorded_.pick, task_.number);
  compare("expired", id_list(recorded_.expired), id_list(sorted(task_.expired)));
  compare("changes a level only", recorded_.changes_level(), pick.kind == PickKind::level_change);
  if (!recorded_.major) {
    compare("kind", recorded_.kind, kind_of(table_.settings().compaction, task_));
    compare("level", recorded_.level, pick.level);
    compare("pending", recorded_.pending, pick.estimated_remaining);
  }
  if (recorded_.max_sstable_bytes) {
    const Bytes limit = pick.output_limit_bytes == 0 ? std::numeric_limits<Bytes>::max() : pick.output_limit_bytes;
    compare("max_sstable_bytes", *recorded_.max_sstable_bytes, limit);
  }
  if (!recorded_.ratio) return;
  for (const SSTablePtr& source : task_.sources) {
    const double ratio = source->droppable_tombstone_ratio(task_.gc_before_s);
    if (off_ == nullptr) {
      compare("ratio", *recorded_.ratio, ratio);
    } else {
      off_->see_ratio(*recorded_.ratio, ratio);
    }
  }
}

void PickCheck::compare_state() {
  const StrategyState& state = table_.strategy_state(task_.pick.holder);
  if (const auto* windows = std::get_if<TimeWindowState>(&state)) {
    compare("highest_window_ms", recorded_.highest_window_ms.value_or(-1), windows->highest_window_ms);
    compare("last_expired_check_ms", recorded_.last_expired_check_ms.value_or(-1), windows->last_expired_check_ms);
  } else if (const auto* leveled = std::get_if<LeveledState>(&state)) {
    compare("last_compacted", id_list(recorded_.last_compacted), id_list(leveled->last_compacted));
    compare("counters", fmt::format("{}", fmt::join(recorded_.counters, " ")),
            fmt::format("{}", fmt::join(leveled->counters, " ")));
  } else if (const auto* unified = std::get_if<UnifiedState>(&state); unified != nullptr && !recorded_.major) {
    compare_bytes("flush_ema", recorded_.flush_average_bytes.value_or(-1), table_.flush_average_bytes());
    compare_bytes("flush_size", static_cast<double>(recorded_.flush_size_bytes.value_or(-1)),
                  static_cast<double>(unified->flush_size_bytes));
    if (!recorded_.unified_levels.empty()) compare_unified_levels(unified->flush_size_bytes);
  }
}

void PickCheck::compare_unified_levels(Bytes flush_size_bytes) {
  std::vector<const SSTableView*> before = table_.live().in_live_order();
  std::erase_if(before, [&](const SSTableView* file) {
    const bool taken = file->compacting && std::ranges::find(task_.pick.inputs, file->id) == task_.pick.inputs.end();
    return taken || holder_of(file->repair) != task_.pick.holder;
  });
  const auto& options = std::get<UnifiedOptions>(table_.settings().compaction);
  const std::vector<UnifiedLevel> levels = unified_levels(options, before, flush_size_bytes, 1.0);
  compare("ucs_levels", recorded_.unified_levels.size(), levels.size());
  for (std::size_t i = 0; i < std::min(levels.size(), recorded_.unified_levels.size()); ++i) {
    const TraceUnifiedLevel& expected = recorded_.unified_levels[i];
    const UnifiedLevel& ours = levels[i];
    compare("ucs_levels fanout", expected.fanout, ours.scaling.fanout);
    compare("ucs_levels threshold", expected.threshold, ours.scaling.threshold);
    compare_bytes("ucs_levels max_density", expected.max_density, ours.max_density);
    compare("ucs_levels overlap", expected.overlap, ours.overlap);
    compare("ucs_levels ids", id_list(expected.ids), id_list(ours.files));
    compare("ucs_levels buckets", expected.buckets.size(), ours.buckets.size());
    for (std::size_t k = 0; k < std::min(expected.buckets.size(), ours.buckets.size()); ++k) {
      compare("ucs_levels bucket overlap", expected.buckets[k].overlap,
              static_cast<std::int64_t>(ours.buckets[k].overlap));
      compare("ucs_levels bucket ids", id_list(expected.buckets[k].ids), id_list(ours.buckets[k].files));
    }
  }
}

}  // namespace

void compare_pick(const TracePick& recorded, const TableStore& table, const Task& task, const SessionNumbers& sessions,
                  const TellDifference& tell, StatisticsOff* off) {
  PickCheck check(recorded, table, task, tell, off);
  check.compare_surroundings();
  check.compare_task();
  check.compare_state();
  const std::string holder = sessions.holder_text(task.pick.holder);
  if (!recorded.holder.empty() && recorded.holder != holder) tell("holder", recorded.holder, holder);
}

void compare_estimates(const TracePick& recorded, const TableStore& table, const TellDifference& tell) {
  for (const auto& [holder, expected] : recorded.estimates) {
    const auto kind = recorded_kind(holder);
    if (!kind) continue;
    const std::int64_t ours = table.estimated_remaining(*kind);
    if (ours != expected) tell("estimate", fmt::format("{} {}", holder, expected), fmt::format("{} {}", holder, ours));
  }
}

}  // namespace windrow
