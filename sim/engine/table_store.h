#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/base/units.h"
#include "sim/content/merge.h"
#include "sim/engine/memtable.h"
#include "sim/engine/row_balance.h"
#include "sim/engine/session_ranges.h"
#include "sim/engine/sstables_by_id.h"
#include "sim/schema/compaction_options.h"
#include "sim/stats/java_hash.h"
#include "sim/strategy/strategy_manager.h"

namespace windrow {

/// The settings of a table that a run may change.
struct TableSettings {
  std::string keyspace = "ks";
  std::string name = "t";
  SSTableSettings sstables{};
  int clustering_bytes = 0;
  Seconds gc_grace_s = 864'000;
  Seconds default_ttl_s = 0;
  Bytes chunk_bytes = 0;  // of compression; 0: files are plain
  CompactionOptions compaction = SizeTieredOptions{};
};

/// What is written to disk: how many bytes of uncompressed ones. The n-th flush or commit, counted from 1, and its
/// files, counted from 0.
struct DiskSize {
  bool flush = false;
  std::int64_t number = 0;  // of a flush also 0: the files were sent by another replica
  std::size_t file = 0;
  Bytes uncompressed = 0;
  Bytes before = 0;        // uncompressed, of the files before it
  Bytes all = 0;           // of all files of the flush or commit
  double input_ratio = 1;  // of a commit: compressed over uncompressed bytes of what was read
};
/// A file of the n-th commit that ends where more than so many bytes are on disk, in whole chunks.
struct DiskCut {
  std::int64_t number = 0;
  std::size_t file = 0;
  Bytes limit_bytes = 0;
  Bytes chunk_bytes = 0;
};
struct DiskSizer {
  std::function<Bytes(const DiskSize&)> bytes{};
  std::function<double(const DiskCut&)>
      share{};  // disk bytes per uncompressed one up to the cut; null: as the inputs have
};

/// A compaction that runs: what it saw at its start (CompactionController, rule 3.8) decides what it may purge.
struct Task {
  std::int64_t number = 0;  // of the pick, from 1
  Pick pick{};
  Seconds started_s = 0;  // nowInSec
  Seconds gc_before_s = 0;
  bool repaired = false;                  // all inputs are
  bool never_purge = false;               // only_purge_repaired_tombstones when it started, and not repaired
  RepairStatus outputs{};                 // of what it writes
  std::vector<std::int64_t> expired{};    // inputs that are dropped unread
  bool holds_dead = false;                // something in the sources may be dead
  std::vector<SSTablePtr> overlapping{};  // what may keep rows of sources that may hold something dead
  std::vector<SSTablePtr> sources{};      // inputs that are read
  Bytes bytes_to_read = 0;                // on disk
  std::int64_t shards = 0;                // unified: outputs are cut at the ends of so many shards; 0: they are not
};

/// What a flush or a commit changes, as a value.
struct Change {
  boost::container::small_vector<SSTablePtr, 1> added{};
  std::span<const std::int64_t> removed{};  // the task's inputs
  MergeLedger ledger{};

  std::span<const SSTablePtr> files() const { return {added.data(), added.size()}; }
};

/// One table on one node: memtable, live SSTables, running compactions, strategy state. `plan_…` decide and change
/// nothing.
class TableStore {
 public:
  TableStore(const TableWorkload& workload, TableSettings settings, Seconds created_s, DiskSizer disk_sizer);

  const TableSettings& settings() const { return settings_; }
  /// Null: all of the ring. Evenly spread tokens lie everywhere.
  const LocalRanges* local_ranges() const {
    return space_->own_tokens() != nullptr ? settings_.sstables.local_ranges.get() : nullptr;
  }
  const ContentSpace& space() const { return *space_; }
  const Memtable& memtable() const { return memtable_; }
  const LiveSet& live() const { return live_; }
  const Strategy& strategy() const { return live_.strategy(); }
  /// Of the instance of these files.
  const StrategyState& strategy_state(const HolderKey& holder = {}) const { return state_of(state_, holder).strategy; }
  /// See estimated_remaining in sim/strategy/strategy_manager.h.
  std::int64_t estimated_remaining(HolderKey::Kind kind) const {
    return windrow::estimated_remaining(state_, ended_, live_, kind);
  }
  /// next_interesting of all instances.
  Millis next_interesting(Seconds now_s) const;
  const SSTablesById& sstables() const { return sstables_; }
  SSTablePtr sstable(std::int64_t id) const {
    return static_cast<const SSTable*>(live_.at(id).estimates)->shared_from_this();
  }
  const RowBalance& balance() const { return balance_; }
  /// A row may lie in two files, or in a file and the memtable: some of what was streamed in was here already.
  bool may_hold_duplicates() const { return may_hold_duplicates_; }
  double flush_average_bytes() const { return flush_average_bytes_; }
  /// ColumnFamilyStore.gcBefore (rule 3.1).
  Seconds gc_before(Seconds now_s) const { return now_s - settings_.gc_grace_s; }

  /// Writes before `place` arrive.
  void write_until(const ArrivalPlace& place) { memtable_.take_until(place, settings_.default_ttl_s); }

  /// Nothing arrives from here on, or again something: the node is down, and up.
  void stop_arrivals(Micros at_us) { memtable_.arrivals().stop(at_us); }
  void resume_arrivals(Micros at_us) { memtable_.arrivals().resume(at_us); }

  /// As Arrivals has it.
  void lose_what_is_lost_by(int node) { memtable_.arrivals().lose_what_is_lost_by(node); }
  /// What was written and not flushed is gone, with the commit log.
  void lose_memtable() { memtable_.clear(); }

  /// Rows that the node missed arrive as writes (Mutation.apply); none of them may be here already.
  void write_hinted(std::span<const Cohort> cohorts);
  /// The same of what reads found lacking (Memtable::take_repaired).
  void write_repaired(std::span<const KeyedPartition> writes) { memtable_.take_repaired(writes); }

  Change plan_flush(Seconds now_s) const;
  void apply_flush(const Change& change);

  /// New files of rows that another replica sends, with the dates that they have, in level 0 (CassandraStreamReader),
  /// whether they are here already or not.
  Change plan_stream(Content content, const RepairStatus& status, Seconds now_s);
  void apply_stream(const Change& change, Seconds now_s);

  /// One call of the strategy; its state moves also when it finds nothing.
  Pick ask(Seconds now_s);
  /// `count` calls that are known to find nothing, every `period_us` from `first_us` on: timers move (rules 7.6, 9.10).
  void skip_asks(Micros first_us, Micros period_us, std::int64_t count);
  /// What a pick of kind repair_finished does: its files leave their session.
  void finish_repair(const Pick& pick, Seconds now_s);
  /// What a pick of kind level_change does.
  void change_level(const Pick& pick);

  /// The table may be repaired: before the first flush.
  void follow_repairs(Seconds now_s);
  /// Files that are not compacting become part of a session, repaired or unrepaired (mutateRepaired, rule 10.1).
  void set_repair_status(std::span<const std::int64_t> ids, const RepairStatus& status, Seconds now_s);
  /// The session has ended: its files wait for a task that makes them repaired as of its beginning, or unrepaired if it
  /// failed (0).
  void end_session(std::int64_t session, Millis repaired_at_ms) { ended_[session] = repaired_at_ms; }

  /// CompactionTask.runMayThrow, Cassandra 5.0.9 (rule 11), in three: marks the inputs and takes down what the task
  /// sees now; what its end will change; the change.
  Task start(Pick pick, Seconds now_s);
  /// The first in two, where a task may be given up for want of space: `overlapping` is found, and the inputs are
  /// marked, once it goes.
  Task draft(Pick pick, Seconds now_s) const;
  /// For drafts of which each has a part of the inputs of the one before, while nothing else changes.
  FullyExpired expiry(Seconds now_s) const;
  Task draft(Pick pick, Seconds now_s, FullyExpired& expiry) const;
  void take(Task& task);
  Change plan_commit(const Task& task, Seconds now_s) const;
  /// Of a task of kind anticompaction (CompactionManager.antiCompactGroup, Cassandra 5.0.9): a file of what is inside
  /// the ranges, which is the session's, and one of the rest.
  Change plan_anticompaction(const Task& task, const SessionRanges& session, Seconds now_s) const;
  /// Gives the inputs, which have left, in the order of change.removed.
  std::vector<SSTablePtr> apply_commit(const Task& task, const Change& change);

  /// ALTER TABLE, before its flush: a new compaction map makes a new strategy instance (rule 12.4).
  void alter(TableSettings settings, bool compaction_changed, Seconds now_s);

  /// Major compaction: its tasks, whose inputs are taken until they start or are released. Nothing else may run.
  std::vector<Pick> reserve_major(Seconds now_s);
  void reserve(const Pick& pick) { live_.set_compacting(pick.inputs, true); }
  void release(const Pick& pick) { live_.set_compacting(pick.inputs, false); }
  /// Truncated or dropped: no file is left. Nothing may run, and the memtable must be empty.
  std::vector<SSTablePtr> remove_all();

  /// A task that will not run: its inputs are free again.
  void abandon(const Task& task) { live_.set_compacting(task.pick.inputs, false); }
  /// The node stops and starts again, memtable flushed before: what strategies remember is lost.
  void restart(Seconds now_s);

  /// Stops the run unless every row is where it must be.
  void check_balance() const;
  TableView view(Seconds now_s) const;

 private:
  /// Where outputs come from: the n-th flush, or the commit of the n-th pick.
  struct Origin {
    bool flush = false;
    std::int64_t number = 0;
    int level = 0;
    double input_ratio = 1;
    bool stores_coverage = false;  // unified writers do (rule 1.8)
    RepairStatus repair{};
    std::int64_t place = 0;     // files of the same change that come before
    bool fills_levels = false;  // from `level` on, each as far as it goes (rule 8.13, MajorLeveledCompactionWriter)
    // What an output's filter is sized for (rule 3.7a): what the task is expected to write; or a shard's part of all
    // partitions; or its own partitions.
    const Task* expected_of = nullptr;
    std::int64_t shards = 0;
  };
  void renew_strategy(Seconds now_s);
  /// New files become live.
  void enter(const Change& change);
  void add_outputs(Change& change, std::span<CutContent> outputs, const Origin& origin, Seconds now_s) const;
  /// The content as one file, or cut behind these tokens.
  void add_cut_by_tokens(Change& change, Content content, const std::vector<Token>& ends, const Origin& origin,
                         Seconds now_s) const;
  void add_swath(Change& change, Swath swath, const Origin& origin, Seconds now_s) const;
  FileExtremes measure(CutContent& output) const;
  bool files_may_share_rows() const;
  /// What a task's sources hold together, where nothing of it is dead and it is a swath, as each of them is.
  std::optional<Swath> joined_sources(const Task& task) const;
  /// The same, purged, of any sources.
  Content merge_sources(const Task& task, MergeLedger& ledger) const;

  TableSettings settings_;
  std::unique_ptr<ContentSpace> space_;
  std::shared_ptr<const SSTableSettings> written_as_;  // settings_.sstables, which new files share
  DescriptorHash hashes_;
  DiskSizer disk_sizer_;
  Memtable memtable_;
  LiveSet live_;
  ManagerState state_;
  EndedSessions ended_{};
  SSTablesById sstables_{};
  std::int64_t next_id_ = 1;
  std::int64_t flushes_ = 0;
  std::int64_t picks_ = 0;
  double flush_average_bytes_ = std::numeric_limits<double>::quiet_NaN();  // before the first flush since the start
  RowBalance balance_{};
  Rows rows_on_disk_ = 0;
  bool may_hold_duplicates_ = false;
};

}  // namespace windrow
