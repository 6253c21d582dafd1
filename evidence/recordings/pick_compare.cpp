#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "evidence/recordings/pick_replay.h"
#include "sim/strategy/unified.h"

namespace windrow {
namespace {

using Ids = std::vector<std::int64_t>;

/// How the harness names a task (tests/oracle/README.md): a single input left to read counts as a tombstone compaction.
std::string kind_of(const CompactionOptions& options, const Pick& pick, std::size_t expired) {
  if (expired == pick.inputs.size()) return "expired_only";
  const bool by_type =
      std::holds_alternative<LeveledOptions>(options) || std::holds_alternative<UnifiedOptions>(options);
  const bool single = !by_type && pick.inputs.size() - expired == 1;
  return pick.kind == PickKind::tombstone || single ? "tombstone" : "normal";
}

}  // namespace

void PickReplay::compare_levels(Seconds t_s) {
  while (const auto* change = next_if<TraceLevelChange>(t_s)) {
    compare("level", change->level, live_.at(change->id).level);
    live_.set_level(change->id, change->level);
    ++at_;
  }
}

void PickReplay::compare_nothing(const ManagerAnswer& answer) {
  ++result_.nulls;
  if (answer.pick.kind != PickKind::none && !guessed_) disagree("inputs", "nothing", text(answer.pick.inputs));
}

void PickReplay::compare_estimates(const TracePick& recorded) {
  for (const auto& [holder, expected] : recorded.estimates) {
    const auto kind = recorded_kind(holder);
    if (!kind) continue;
    compare("estimates", fmt::format("{} {}", holder, expected),
            fmt::format("{} {}", holder, estimated_remaining(settings_.options, state_, ended_, live_, *kind)));
  }
}

void PickReplay::compare_before(const TracePick& recorded) {
  compare_live(recorded.t_s, recorded.live);
  compare("memtable_min_timestamp", recorded.memtable_min_timestamp_us.value_or(no_timestamp), memtable_min_us_);
  compare("gc_before", recorded.gc_before_s, recorded.t_s - settings_.gc_grace_s);
}

void PickReplay::compare_expired(const TracePick& recorded, const HolderKey& holder) {
  Ids expired;
  if (!recorded.changes_level() && !live_.find_holder(holder)->never_purges(common_options(settings_.options))) {
    expired = fully_expired(live_, recorded.inputs, recorded.gc_before_s, memtable_min_us_,
                            task_ignores_overlaps(settings_.options));
  }
  std::ranges::sort(expired);
  compare("expired", text(recorded.expired), text(expired));
}

void PickReplay::compare_pick(const TracePick& recorded, const ManagerAnswer& answer) {
  ++result_.picks;
  compare_estimates(recorded);
  if (!recorded.holder.empty()) compare("holder", recorded.holder, sessions_.holder_text(answer.pick.holder));
  compare_before(recorded);
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
  compare_state(recorded, state_of(answer.state, answer.pick.holder).strategy);
  if (std::holds_alternative<UnifiedOptions>(settings_.options)) compare_unified(recorded, answer.pick.holder);
}

void PickReplay::compare_task(const TracePick& recorded, const Pick& pick) {
  compare("changes a level only", recorded.changes_level(), pick.kind == PickKind::level_change);
  compare_expired(recorded, pick.holder);
  compare("kind", recorded.kind, kind_of(settings_.options, pick, recorded.expired.size()));
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

void PickReplay::compare_state(const TracePick& recorded, const StrategyState& state) {
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

void PickReplay::compare_unified(const TracePick& recorded, const HolderKey& holder) {
  const auto& options = std::get<UnifiedOptions>(settings_.options);
  const Bytes flush_size = unified_flush_size(
      options, std::get<UnifiedState>(state_of(state_, holder).strategy).flush_size_bytes, flush_average_bytes_);
  std::vector<const SSTableView*> idle = live_.in_live_order();
  std::erase_if(idle, [&](const SSTableView* file) { return file->compacting || holder_of(file->repair) != holder; });
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

void PickReplay::compare_live(Seconds t_s, const Ids& recorded) {
  now_s_ = t_s;
  Ids ours;
  for (const SSTableView* file : live_.in_live_order()) ours.push_back(file->id);
  compare("live order", text(recorded), text(ours));
}

void PickReplay::disagree(const char* what, std::string expected, std::string ours) {
  result_.disagreements.push_back({.t_s = now_s_,
                                   .pick = pick_,
                                   .what = what,
                                   .state = state_text(),
                                   .expected = std::move(expected),
                                   .ours = std::move(ours),
                                   .rule = rule_});
}

std::string PickReplay::state_text() const {
  std::string files;
  for (const SSTableView* file : live_.in_live_order()) {
    files += fmt::format(" {}:{}{}", file->id, file->data_bytes, file->compacting ? "*" : "");
  }
  return fmt::format("{}; files (id:data_bytes, * compacting):{}", strategy_name(settings_.options), files);
}

}  // namespace windrow
