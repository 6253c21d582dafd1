#pragma once

#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "evidence/recordings/trace.h"
#include "sim/strategy/strategy.h"
#include "tests/witness/lib/memtable.h"
#include "tests/witness/lib/merge.h"
#include "tests/witness/lib/output_cut.h"
#include "tests/witness/lib/settings.h"
#include "tests/witness/lib/sstable.h"

namespace windrow::witness {

/// A compaction from its pick to its commit. What it may purge belongs to its start, the memtable to its commit
/// (rule 3.8).
struct Task {
  TracePick pick{};
  CompactionOptions options{};  // of the strategy that picked
  Bytes output_limit_bytes = 0;
  bool never_purge = false;
  std::vector<std::shared_ptr<const SSTable>> read{};     // not fully expired inputs, in the order of a hash set
  std::vector<std::shared_ptr<const SSTable>> overlap{};  // live files beside the inputs that meet their keys

  bool changes_level() const { return pick.changes_level(); }
};

/// One table on one node: memtable, live SSTables with all their rows, strategy. Every change is returned as the
/// recording harness would write it.
/// Bytes of a recorded file, compressed and not.
struct RecordedSize {
  Bytes data_bytes = 0;
  Bytes uncompressed_bytes = 0;
  Bytes largest_partition = 0;  // rather more
  bool cut = false;             // the compaction went on in another file
};
using RecordedSizes = std::map<std::int64_t, RecordedSize>;

class Table {
 public:
  /// `recorded_sizes`: by SSTable id, for compressed tables; null: uncompressed sizes are the sizes.
  Table(const OracleScenario& scenario, const RecordedSizes* recorded_sizes, std::string name = "t");

  Memtable& memtable() { return memtable_; }
  const Memtable& memtable() const { return memtable_; }
  /// Live files, by id.
  const std::map<std::int64_t, std::shared_ptr<const SSTable>>& files() const { return files_; }
  const Settings& settings() const { return settings_; }
  /// Of the ring; without it all of it is the node's.
  void hold(HeldRanges held) { held_ = std::move(held); }
  void alter(std::string_view with, Seconds now_s);
  /// nullopt: the memtable is empty.
  std::optional<TraceFlush> flush(Seconds now_s, std::string_view reason);
  /// One call of the strategy; nullopt: nothing to do. The inputs are compacting from now on.
  std::optional<Task> next_task(Seconds now_s);
  TraceCommit commit(const Task& task, Seconds now_s);
  /// Of a task that changes a level, instead of its commit; see level_changes.
  void change_level(const Task& task);
  /// Levels that the strategy changed since the last call (rule 8.3), in live-set order.
  std::vector<TraceLevelChange> level_changes(Seconds now_s);

  std::vector<std::int64_t> live() const;  // in live-set order
  Bytes live_bytes() const;
  Bytes live_bytes_on_disk() const;

 private:
  std::vector<SSTableView> add(std::vector<std::shared_ptr<SSTable>> files, Seconds now_s, int level,
                               std::vector<TraceSSTable>& added);
  TracePick describe(const Answer& answer, const TableView& view) const;
  void describe_state(TracePick& pick) const;

  /// Disk bytes per uncompressed byte of the SSTable that has this id, where more than the limit is on disk. Chunks are
  /// taken to be alike, but for an error of one and a half by which the file would end elsewhere than recorded.
  double disk_share(std::int64_t id, Bytes limit_bytes) const;

  const RecordedSizes* recorded_sizes_ = nullptr;
  std::string name_;  // descriptors hash it
  bool allow_unsafe_expiration_ = false;
  FileFormat format_{};
  Settings settings_{};
  HeldRanges held_{};
  Memtable memtable_{};
  LiveSet live_{};
  std::map<std::int64_t, std::shared_ptr<const SSTable>> files_;
  std::map<std::int64_t, int> known_levels_;
  StrategyState state_{};
  double flush_average_bytes_ = std::numeric_limits<double>::quiet_NaN();
  std::int64_t next_id_ = 1;
};

}  // namespace windrow::witness
