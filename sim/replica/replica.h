#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "sim/content/keyed_merge.h"
#include "sim/replica/rules.h"
#include "sim/replica/token_range.h"
#include "sim/strategy/repair_status.h"
#include "sim/strategy/strategy_manager.h"

namespace windrow {

/// What StatsMetadata says of a content (Cassandra 5.0.9): what does not expire counts as `no_deletion_time`.
struct KeyedExtremes {
  Micros min_timestamp_us = no_timestamp;
  Micros max_timestamp_us = std::numeric_limits<Micros>::min();
  Seconds min_local_deletion_time_s = no_deletion_time;
  Seconds max_local_deletion_time_s = 0;

  void see(Micros timestamp_us, Seconds local_deletion_time_s);
  void see(const KeyedPartition& partition);
};

/// An SSTable of rows that are held one by one.
struct ReplicaFile {
  std::int64_t id = 0;
  std::shared_ptr<const KeyedContent> content{};
  RepairStatus status{};
  KeyedExtremes extremes{};
  Rows rows = 0;

  TokenInterval tokens() const { return {content->front().token, content->back().token}; }
};

/// What the table says that replicas act on.
struct ReplicaTable {
  Seconds gc_grace_s = 0;
  bool only_purge_repaired = false;
  bool read_repair = true;       // read_repair = 'BLOCKING'
  int anticompaction_group = 2;  // files a rewriting task takes: 1 with time windows
  CompareValues values{};
};

/// One replica of a table: a memtable and SSTables.
class Replica {
 public:
  /// A write of one partition.
  void write(const KeyedPartition& mutation, const CompareValues& values);
  void flush();
  /// Everything is gone: the node is replaced.
  void wipe();
  /// Returns the file's id. An empty content makes no file.
  std::int64_t add_file(KeyedContent content, const RepairStatus& status);

  /// nodetool compact: a task for the repaired files, one for the unrepaired ones, none for pending ones: those of
  /// sessions that have ended become repaired, or unrepaired again. CompactionStrategyManager.getMaximalTasks.
  void compact(const ReplicaTable& table, Seconds now_s, const EndedSessions& ended, const ReplicaRules& rules);
  /// Files of ended sessions take their state: RepairFinishedCompactionTask.
  void finish_sessions(const EndedSessions& ended);

  /// CompactionManager.performAnticompaction (Cassandra 5.0.9): unrepaired files inside the ranges become pending;
  /// those partly inside are rewritten, in groups of neighbours by age. Which files the engine groups is unknown.
  /// Returns how many were rewritten.
  std::int64_t anticompact(const ReplicaTable& table, std::span<const TokenInterval> ranges, std::int64_t session,
                           Seconds now_s, const ReplicaRules& rules);

  const std::vector<ReplicaFile>& files() const { return files_; }  // by id
  const std::map<Token, KeyedPartition>& memtable() const { return memtable_; }
  const KeyedExtremes& memtable_extremes() const { return memtable_extremes_; }

  /// Grows whenever what is stored changes.
  std::int64_t changes() const { return changes_; }

  /// All of a partition that is stored, merged; tombstones stay.
  KeyedPartition merged(Token token, const CompareValues& values) const;
  /// Tokens of all that is stored, ascending.
  std::vector<Token> tokens() const;

 private:
  void rewrite(std::span<const std::int64_t> ids, const ReplicaTable& table, Seconds now_s, const ReplicaRules& rules,
               const std::function<void(KeyedContent, const RepairStatus&)>& place);
  void compact_group(HolderKey::Kind kind, const ReplicaTable& table, Seconds now_s, const ReplicaRules& rules);

  std::map<Token, KeyedPartition> memtable_{};
  KeyedExtremes memtable_extremes_{};
  std::vector<ReplicaFile> files_{};
  std::int64_t next_id_ = 1;
  std::int64_t changes_ = 0;
};

}  // namespace windrow
