#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "sim/base/units.h"
#include "sim/schema/compaction_options.h"
#include "sim/strategy/live_set.h"

namespace windrow {

/// What one instance of a strategy remembers between calls; a new instance (ALTER of the compaction map, restart)
/// starts afresh.
struct TimeWindowState {
  Millis highest_window_ms = 0;      // highestWindowSeen (rule 7.4)
  Millis last_expired_check_ms = 0;  // rule 7.6
  friend bool operator==(const TimeWindowState&, const TimeWindowState&) = default;
};
struct LeveledState {
  std::array<std::int64_t, 9>
      last_compacted{};  // SSTable id per level, 0 = none; its last token below outlives the file
  std::array<Token, 9> last_compacted_last_token{};
  std::array<int, 9> counters{};  // rule 8.8
  friend bool operator==(const LeveledState&, const LeveledState&) = default;
};
struct UnifiedState {
  Millis last_expired_check_ms = 0;  // construction time at first (rule 9.10)
  Bytes flush_size_bytes = 0;        // cached f of rule 9.4
  friend bool operator==(const UnifiedState&, const UnifiedState&) = default;
};
using StrategyState = std::variant<std::monostate, TimeWindowState, LeveledState, UnifiedState>;

/// Everything a call may look at.
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
/// one input goes to another level (LCS with single_sstable_uplevel; SingleSSTableLCSTask, rule 8.11). No strategy
/// picks an `anticompaction`: what a repair of some ranges divides (CompactionManager.antiCompactGroup).
enum class PickKind { none, normal, tombstone, expired_only, repair_finished, level_change, anticompaction };

/// One answer of a strategy: a task, or none.
struct Pick {
  PickKind kind = PickKind::none;
  std::vector<std::int64_t> inputs{};    // ids in the strategy's own order, expired ones last
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

/// Asks that were skipped because none could find anything, at first_us, first_us + period_us, ...; each sees the whole
/// second that it falls into.
struct FruitlessAsks {
  Micros first_us = 0;
  Micros period_us = 60 * us_per_s;
  std::int64_t count = 0;
  bool has_files = true;  // the table, all the while
};

/// How the outputs of a strategy's compactions are cut.
enum class OutputCut { none, by_size, by_shards };

/// What of a task that finds too little disk space may stay behind (reduceScopeForLimitedSpace): any of its largest
/// inputs, or those of level 0 alone.
enum class ScopeReduction { any_input, level0 };

/// How long a normal pick stays the answer while no file comes, goes or changes hands: only for this call; until a file
/// expires; until the next interesting moment.
enum class PickStands { not_at_all, until_one_expires, until_interesting };

/// A compaction strategy with its options: what holders and the engine ask of it. Without memory: asked twice, it
/// answers the same. A strategy is a class derived from this in a file of its own, which make_strategy finds by its
/// options; its class name, sub-options and defaults are a row of sim/schema/compaction_options.cpp.
class Strategy {
 public:
  virtual ~Strategy() = default;

  const CommonCompactionOptions& common() const { return common_; }

  // What a holder keeps for it.
  virtual std::unique_ptr<StrategyOrder> new_order() const { return nullptr; }
  virtual bool looks_for_expired() const { return false; }        // ExpiryOrder
  virtual bool compacts_for_tombstones() const { return false; }  // TombstoneWatch

  /// A new instance's state, created at `now_ms`. `holder` if there were files before it: LCS looks at them (rule 8.9).
  virtual StrategyState new_state(Millis, const Holder*) const { return {}; }
  /// One call of an instance's getNextBackgroundTask (one data directory).
  virtual Answer next_task(const StrategyState& state, const TableView& view) const = 0;
  /// After a task's outputs were committed (LCS lastCompacted, rule 8.9). `outputs` in writer order. Only of a strategy
  /// with levels the state moves.
  virtual StrategyState after_commit(const StrategyState& state, std::span<const SSTableView>,
                                     std::span<const SSTableView>) const {
    return state;
  }
  /// After a task of kind level_change; the file as it was before.
  virtual StrategyState after_level_change(const StrategyState& state, const SSTableView&) const { return state; }
  /// After an ask at view.now_ms that found nothing, with the state of its answer: the earliest time at which another
  /// ask could find something while no file comes, goes, or changes hands and no memtable is switched; never too late,
  /// perhaps too early; no_deletion_time if never.
  virtual Millis next_interesting(const StrategyState& state, const TableView& view) const;
  /// True if asks that find nothing move its state: expired-check timers (rules 7.6, 9.10).
  virtual bool has_timers() const { return false; }
  /// The state after asks that found nothing.
  virtual StrategyState after_fruitless_asks(const StrategyState& state, const FruitlessAsks&) const { return state; }
  /// getEstimatedRemainingTasks, which the manager sorts by: what the last call said, where nobody looks afresh.
  virtual std::int64_t estimated_remaining(std::int64_t of_last_call, const Holder&) const { return of_last_call; }

  /// Major compaction (nodetool compact; getMaximalTasks): tasks over all files of an instance, none of which may be
  /// compacting.
  virtual std::vector<Pick> major_tasks(const TableView& view) const;
  /// One of these tasks without its inputs: what becomes of its outputs.
  virtual Pick major_task() const { return {.kind = PickKind::normal}; }

  /// True if tasks ignore overlaps when they test for expired inputs (unsafe_aggressive..., rule 7.6).
  virtual bool ignores_overlaps() const { return false; }
  virtual OutputCut output_cut() const { return OutputCut::none; }
  /// By shards: into how many data of this density is cut; NaN: unknown yet.
  virtual std::int64_t shards(double /*density_bytes*/) const { return 1; }
  virtual bool has_levels() const { return false; }
  /// What a level holds before a major compaction goes on to the next.
  virtual double most_bytes_of_level(int) const { return std::numeric_limits<double>::infinity(); }
  virtual ScopeReduction scope_reduction() const { return ScopeReduction::any_input; }
  virtual PickStands pick_stands() const { return PickStands::until_interesting; }
  /// Start of the time window of a file by its newest write; nothing if the strategy has no windows.
  virtual std::optional<Millis> window_ms(Micros /*max_timestamp_us*/) const { return std::nullopt; }
  virtual std::optional<Seconds> window_length_s() const { return std::nullopt; }

 protected:
  explicit Strategy(CommonCompactionOptions common) : common_(std::move(common)) {}

 private:
  CommonCompactionOptions common_;
};

using StrategyPtr = std::shared_ptr<const Strategy>;
StrategyPtr new_strategy(const SizeTieredOptions& options);
StrategyPtr new_strategy(const TimeWindowOptions& options);
StrategyPtr new_strategy(const LeveledOptions& options);
StrategyPtr new_strategy(const UnifiedOptions& options);
StrategyPtr new_strategy(const NoCompactionOptions& options);
StrategyPtr make_strategy(const CompactionOptions& options);

/// A task of all files of view.own(), newest first; none if there is no file.
std::vector<Pick> task_of_all_files(const TableView& view, Pick task);

/// Which inputs of a task can be dropped unread (rule 4): the task's own test at its start. `ignore_overlaps` per 4.2
/// and 7.6. With only_purge_repaired_tombstones nothing is, unless all are repaired (rule 4.1); that is for the caller
/// to ask. The task may lose one input after the other while nothing else changes: what blocks none of its files is not
/// looked at again.
class FullyExpired {
 public:
  FullyExpired(const LiveSet& live, Seconds gc_before_s, Micros memtable_min_timestamp_us, bool ignore_overlaps)
      : live_(live),
        gc_before_s_(gc_before_s),
        memtable_min_timestamp_us_(memtable_min_timestamp_us),
        ignore_overlaps_(ignore_overlaps) {}

  /// Ids of `compacting`, in their order; of the second call on `compacting` are some of those of the last.
  std::vector<std::int64_t> among(std::span<const std::int64_t> compacting);

 private:
  struct MayBlock {
    Micros min_timestamp_us = 0;
    Token first = 0;
    Token last = 0;
  };
  Micros blocking_timestamp_us(std::span<const std::int64_t> ids, Micros newest_us);
  Micros blocking_in_levels(std::span<const std::int64_t> ids, Micros newest_us);

  const LiveSet& live_;
  Seconds gc_before_s_;
  Micros memtable_min_timestamp_us_;
  bool ignore_overlaps_;
  Micros blocked_from_us_ = std::numeric_limits<Micros>::min();  // nothing older blocks
  bool asked_ = false;
  std::optional<std::vector<MayBlock>> may_block_{};  // of levels: listed for who asks again, as few do
};

/// Rule 0.6: live SSTables that overlap `ids`, without them, in live-set order.
/// `without` are none of them, nor is one whose least timestamp is above `newest_us`: it keeps nothing that is not
/// newer (rule 3.7).
std::vector<std::int64_t> overlapping(const LiveSet& live, std::span<const std::int64_t> ids,
                                      std::span<const std::int64_t> without,
                                      Micros newest_us = std::numeric_limits<Micros>::max());
inline std::vector<std::int64_t> overlapping(const LiveSet& live, std::span<const std::int64_t> ids) {
  return overlapping(live, ids, ids);
}

}  // namespace windrow
