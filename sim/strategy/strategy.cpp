#include "sim/strategy/strategy.h"

#include <algorithm>

#include "sim/base/arithmetic.h"
#include "sim/base/overloaded.h"
#include "sim/strategy/expiry.h"
#include "sim/strategy/leveled.h"
#include "sim/strategy/size_tiered.h"
#include "sim/strategy/time_window.h"
#include "sim/strategy/unified.h"
#include "sim/strategy/worth_dropping_tombstones.h"

namespace windrow {

StrategyState new_state(const CompactionOptions& options, Millis now_ms, const Holder* holder) {
  return std::visit(
      Overloaded{
          [](const SizeTieredOptions&) -> StrategyState { return SizeTieredState{}; },
          [](const TimeWindowOptions&) -> StrategyState { return TimeWindowState{}; },
          [&](const LeveledOptions&) -> StrategyState { return new_leveled_state(holder); },
          [&](const UnifiedOptions&) -> StrategyState { return UnifiedState{.last_expired_check_ms = now_ms}; },
          [](const NoCompactionOptions&) -> StrategyState { return SizeTieredState{}; },
      },
      options);
}

Answer next_task(const CompactionOptions& options, const StrategyState& state, const TableView& view) {
  return std::visit(
      Overloaded{
          [&](const SizeTieredOptions& size_tiered) {
            return size_tiered_task(size_tiered, std::get<SizeTieredState>(state), view);
          },
          [&](const TimeWindowOptions& time_window) {
            return time_window_task(time_window, std::get<TimeWindowState>(state), view);
          },
          [&](const LeveledOptions& leveled) { return leveled_task(leveled, std::get<LeveledState>(state), view); },
          [&](const UnifiedOptions& unified) { return unified_task(unified, std::get<UnifiedState>(state), view); },
          [&](const NoCompactionOptions&) { return Answer{.state = state}; },
      },
      options);
}

StrategyState after_commit(const CompactionOptions& options, const StrategyState& state,
                           std::span<const SSTableView> removed, std::span<const SSTableView> outputs) {
  if (!std::holds_alternative<LeveledOptions>(options)) return state;
  return leveled_after_commit(std::get<LeveledState>(state), removed, outputs);
}

StrategyState after_level_change(const StrategyState& state, const SSTableView& before) {
  return leveled_after_level_change(std::get<LeveledState>(state), before);
}

bool task_ignores_overlaps(const CompactionOptions& options) {
  const auto* time_window = std::get_if<TimeWindowOptions>(&options);
  return time_window != nullptr && time_window->unsafe_aggressive_sstable_expiration;
}

Millis next_interesting(const CompactionOptions& options, const StrategyState& state, const TableView& view) {
  const auto next_check_ms = [&](const auto& of_strategy, const CommonCompactionOptions& common, Millis last_check_ms) {
    if (view.own().never_purges(common)) return no_deletion_time;
    return next_expired_check_ms(view, last_check_ms, of_strategy.expired_sstable_check_frequency_s,
                                 of_strategy.unsafe_aggressive_sstable_expiration);
  };
  return std::visit(
      Overloaded{
          [&](const SizeTieredOptions& size_tiered) { return next_worth_dropping_ms(size_tiered.common, view); },
          [&](const TimeWindowOptions& time_window) {
            const CommonCompactionOptions& common = time_window.size_tiered.common;
            return std::min(next_check_ms(time_window, common, std::get<TimeWindowState>(state).last_expired_check_ms),
                            next_worth_dropping_ms(common, view));
          },
          [&](const LeveledOptions& leveled) { return next_worth_dropping_ms(leveled.size_tiered.common, view); },
          [&](const UnifiedOptions& unified) {
            return next_check_ms(unified, unified.common, std::get<UnifiedState>(state).last_expired_check_ms);
          },
          [](const NoCompactionOptions&) -> Millis { return no_deletion_time; },
      },
      options);
}

StrategyState after_fruitless_asks(const CompactionOptions& options, const StrategyState& state,
                                   const FruitlessAsks& asks) {
  const auto advance = [&](Millis& last_check_ms, Seconds frequency_s) {
    for (;;) {
      // The first second that is later than the last check by more than the frequency, and the first ask from there on.
      const Seconds due_s = floor_div(last_check_ms, ms_per_s) + frequency_s + 1;
      const std::int64_t ask = std::max<std::int64_t>(0, ceil_div(due_s * us_per_s - asks.first_us, asks.period_us));
      if (ask >= asks.count) return;
      last_check_ms = (asks.first_us + ask * asks.period_us) / us_per_s * ms_per_s;
    }
  };
  StrategyState next = state;
  if (const auto* time_window = std::get_if<TimeWindowOptions>(&options)) {
    if (!asks.has_files) return next;  // an empty table is not even looked at (rule 7.3)
    advance(std::get<TimeWindowState>(next).last_expired_check_ms, time_window->expired_sstable_check_frequency_s);
  } else if (const auto* unified = std::get_if<UnifiedOptions>(&options)) {
    advance(std::get<UnifiedState>(next).last_expired_check_ms, unified->expired_sstable_check_frequency_s);
  }
  return next;
}

}  // namespace windrow
