#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "sim/base/units.h"
#include "sim/schema/compaction_options.h"
#include "sim/strategy/live_set.h"

namespace windrow {

/// What one instance of a strategy remembers between calls; a new instance (ALTER of the compaction map, restart)
/// starts afresh.
struct SizeTieredState {};
struct TimeWindowState {
  Millis highest_window_ms = 0;      // highestWindowSeen (rule 7.4)
  Millis last_expired_check_ms = 0;  // rule 7.6
};
struct LeveledState {
  std::array<std::int64_t, 9>
      last_compacted{};  // SSTable id per level, 0 = none; its last token below outlives the file
  std::array<Token, 9> last_compacted_last_token{};
  std::array<int, 9> counters{};  // rule 8.8
  int level0_capacity = 16;       // capacity of the level-0 HashSet, never shrinks (rule 0.2a)
};
struct UnifiedState {
  Millis last_expired_check_ms = 0;  // construction time at first (rule 9.10)
  Bytes flush_size_bytes = 0;        // cached f of rule 9.4
};
using StrategyState = std::variant<SizeTieredState, TimeWindowState, LeveledState, UnifiedState>;

/// Everything a call may look at. Asked twice, it answers the same.
struct TableView {
  Millis now_ms = 0;
  Seconds gc_before_s = 0;
  const LiveSet* live = nullptr;
  const Holder* holder = nullptr;                   // of the instance that is asked; null: that of unrepaired files
  Micros memtable_min_timestamp_us = no_timestamp;  // over all live and flushing memtables; no_timestamp if empty
  double flush_average_bytes = 0;                   // UCS: moving average E of rule 9.4; NaN before the first flush
  double local_coverage = 1;                        // V of rule 9.3

  const Holder& own() const { return holder != nullptr ? *holder : live->unrepaired(); }
};

/// Kinds that rewrite nothing: `repair_finished`: the inputs become repaired, or unrepaired again; `level_change`: the
/// one input goes to another level (LCS with single_sstable_uplevel; SingleSSTableLCSTask, rule 8.11).
enum class PickKind { none, normal, tombstone, expired_only, repair_finished, level_change };

/// One answer of a strategy: a task, or none.
struct Pick {
  PickKind kind = PickKind::none;
  std::vector<std::int64_t> inputs;      // ids in the strategy's own order, expired ones last
  HolderKey holder{};                    // of the instance that gave it
  int level = 0;                         // of the outputs; level_change: of the input
  Bytes output_limit_bytes = 0;          // LCS: switch to a new file above it; 0 = never
  Millis repaired_at_ms = 0;             // repair_finished: of the session, 0 = it failed
  bool fills_levels = false;             // LCS major compaction: outputs go up a level whenever one is full
  std::int64_t estimated_remaining = 0;  // getEstimatedRemainingTasks after the call
  const char* rule = "";                 // the rule that decided, e.g. "7.4 past window": for explanations
};

struct Answer {
  Pick pick{};
  StrategyState state{};  // also moves when nothing is picked: expired-check timers, highest window
};

/// A new instance's state, created at `now_ms`. `holder` if there were files before it: LCS looks at them (rule 8.9).
StrategyState new_state(const CompactionOptions& options, Millis now_ms, const Holder* holder = nullptr);

/// One call of an instance's getNextBackgroundTask (one data directory). Pure. The live set must have been told to
/// `use` these options.
Answer next_task(const CompactionOptions& options, const StrategyState& state, const TableView& view);

/// After a task's outputs were committed (LCS lastCompacted, rule 8.9; UCS nothing). `outputs` in writer order.
StrategyState after_commit(const CompactionOptions& options, const StrategyState& state,
                           std::span<const SSTableView> removed, std::span<const SSTableView> outputs);

/// After a task of kind level_change; `before` as the file was.
StrategyState after_level_change(const StrategyState& state, const SSTableView& before);

/// After an ask at view.now_ms that found nothing, with the state of its answer: the earliest time at which another ask
/// could find something while no file comes, goes, or changes hands and no memtable is switched; never too late,
/// perhaps too early; no_deletion_time if never.
Millis next_interesting(const CompactionOptions& options, const StrategyState& state, const TableView& view);

/// Asks that were skipped because none could find anything, at first_us, first_us + period_us, ...; each sees the whole
/// second that it falls into.
struct FruitlessAsks {
  Micros first_us = 0;
  Micros period_us = 60 * us_per_s;
  std::int64_t count = 0;
  bool has_files = true;  // the table, all the while
};
/// The state after them: expired-check timers move all the same (rules 7.6, 9.10), but those of TWCS not while the
/// table has no file.
StrategyState after_fruitless_asks(const CompactionOptions& options, const StrategyState& state,
                                   const FruitlessAsks& asks);

/// Ids of `compacting` that can be dropped unread (rule 4): the task's own test at its start. `ignore_overlaps` per 4.2
/// and 7.6. With only_purge_repaired_tombstones nothing is, unless all are repaired (rule 4.1); that is for the caller
/// to ask.
std::vector<std::int64_t> fully_expired(const LiveSet& live, std::span<const std::int64_t> compacting,
                                        Seconds gc_before_s, Micros memtable_min_timestamp_us, bool ignore_overlaps);

/// Rule 0.6: live SSTables that overlap `ids`, without them, in live-set order.
/// `without` are none of them.
std::vector<std::int64_t> overlapping(const LiveSet& live, std::span<const std::int64_t> ids,
                                      std::span<const std::int64_t> without);
inline std::vector<std::int64_t> overlapping(const LiveSet& live, std::span<const std::int64_t> ids) {
  return overlapping(live, ids, ids);
}

/// True if tasks of this strategy ignore overlaps when they test for expired inputs (TWCS with unsafe_aggressive...,
/// rule 7.6).
bool task_ignores_overlaps(const CompactionOptions& options);

}  // namespace windrow
