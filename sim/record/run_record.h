#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.h"
#include "sim/content/census_counts.h"
#include "sim/content/partition_census.h"
#include "sim/cost/work.h"
#include "sim/engine/row_balance.h"
#include "sim/limits/limits.h"
#include "sim/record/key_choices.h"
#include "sim/record/lifeline.h"
#include "sim/scenario/scenario.h"

namespace windrow {

// What a run leaves behind, as values: the recorder fills it, result files and the verdict print it.

inline constexpr std::int64_t memtable_id = 0;  // among blockers: not an SSTable, SSTables count from 1

/// The largest a quantity was, and when first.
struct Peak {
  double value = 0;
  Micros at_us = 0;
  void see(double seen, Micros now_us) {
    if (seen <= value) return;
    value = seen;
    at_us = now_us;
  }
};

/// One table at one moment. `_max` fields: since the sample before.
struct TableSample {
  Micros at_us = 0;
  Bytes live_bytes = 0;  // of all files, all components: the sum of the next four
  Bytes readable_bytes = 0;
  Bytes waiting_gc_grace_bytes = 0;
  Bytes blocked_bytes = 0;    // in files that are past gc_grace as a whole, and held by others
  Bytes purgeable_bytes = 0;  // past gc_grace, or under a tombstone, but nothing has rewritten or dropped the file yet
  Bytes temporary_bytes = 0;  // read so far by compactions that run
  Bytes disk_bytes_max = 0;
  Bytes snapshot_bytes = 0;  // only snapshots keep them: not among the live ones
  std::int64_t sstables = 0;
  std::int64_t sstables_max = 0;
  std::int64_t tombstones = 0;
  std::int64_t droppable_tombstones = 0;
  double droppable_tombstone_ratio = 0;
  std::int64_t pending_compactions = 0;
  std::int64_t pending_compactions_max = 0;
  double write_amplification = 1;
  std::optional<double> space_amplification{};
  Rows rows_written = 0;
  Rows rows_live = 0;
  std::int64_t flushes = 0;  // since the start
  std::int64_t compactions = 0;
  Bytes compacted_bytes = 0;                 // read by compactions, since the start
  std::optional<std::int64_t> partitions{};  // measured now and then
  Bytes partition_bytes_p50 = 0;
  Bytes partition_bytes_p99 = 0;
  Bytes partition_bytes_max = 0;
  double sstables_per_partition = 0;  // files that hold a partition, on average
};

/// One compaction, or all smaller ones of a day and reason together.
struct CompactionRow {
  Micros start_us = 0;
  Micros end_us = 0;
  std::string_view strategy{};
  std::string_view reason{};
  std::int64_t count = 1;
  std::int64_t inputs = 0;
  Bytes input_bytes = 0;
  Bytes read_bytes = 0;  // of the inputs that were not dropped unread
  std::int64_t dropped_unread = 0;
  std::int64_t output_sstables = 0;
  Bytes output_bytes = 0;
  Rows output_rows = 0;
  Rows purged_rows = 0;
};

/// A file that is past gc_grace as a whole, yet cannot be dropped (rule 4.3), at the end of the run.
struct BlockedFile {
  std::int64_t id = 0;
  Bytes bytes = 0;
  Seconds droppable_since_s = 0;
  std::vector<std::int64_t> blocked_by{};  // the blocker with the oldest write first; at most `blockers_named`
  std::int64_t blockers = 0;
  Seconds goes_at_s = no_deletion_time;  // no_deletion_time: never, a blocker holds rows without TTL
};
inline constexpr std::size_t blockers_named = 8;

struct Blocker {
  std::int64_t id = 0;  // memtable_id: the memtable
  Bytes holds_bytes = 0;
  Bytes frees_bytes = 0;
  std::int64_t holds_sstables = 0;
  Seconds expires_s = no_deletion_time;  // when it stops blocking; no_deletion_time: it holds rows that never expire
  Micros min_timestamp_us = 0;
};

inline constexpr std::string_view tombstones_in_memory = "in the memtable";

/// Tombstones at the end of the run that may be dropped on one day.
struct TombstoneRow {
  TombstoneKind kind = TombstoneKind::cell;
  std::string_view why{};
  std::int64_t drop_day = 0;  // since the epoch
  std::int64_t count = 0;
};

/// A percentile of spans of which some have not ended.
struct DelayPercentile {
  Seconds s = 0;
  bool at_least = false;  // too few have ended to say more: it is longer than any that was seen
};

/// A distribution of spans, in seconds. Those that have not ended count as longer than they were seen (the estimator of
/// Kaplan and Meier). p50 and p99 within half a percent.
struct DelaySummary {
  Rows rows = 0;
  Rows still_there = 0;  // of them, have not ended
  DelayPercentile p50{};
  DelayPercentile p99{};
  Seconds max_s = 0;  // the longest seen
};

/// A partition among the largest, with its names.
struct NamedPartition {
  std::string entity{};
  std::string bucket{};
  Micros bucket_begin_us = 0;
  bool has_bucket = false;
  bool bucket_returns = false;  // one of rolling(n, time): it has no beginning
  std::optional<std::int64_t> shard{};
  std::string stream{};
  Rows rows = 0;
  std::int64_t cells = 0;
  Bytes bytes = 0;
};

/// The largest partition of a run in one measure, which may be gone at its end, and when it was first seen.
struct LargestOfRun {
  NamedPartition partition{};
  std::int64_t size = 0;
  Micros at_us = 0;
};

/// How large one of the largest partitions was at a time.
struct GrowthPoint {
  int rank = 1;
  Micros at_us = 0;
  Seconds age_s = 0;  // since the partition's first possible write
  Rows rows = 0;
  Bytes bytes = 0;
};

struct WindowCount {
  std::int64_t windows = 0;
  std::int64_t with_one_sstable = 0;
};

/// Memory outside the heap that live files take.
struct OffHeap {
  Bytes bloom_filter_bytes = 0;
  Bytes index_summary_bytes = 0;
  Bytes compression_metadata_bytes = 0;
  Bytes total_bytes() const { return bloom_filter_bytes + index_summary_bytes + compression_metadata_bytes; }
};

struct TableRecord {
  std::string name{};
  std::string_view strategy{};
  double compression_ratio = 1;
  bool compression_measured = false;
  bool disk_sizes_known = false;  // not compressed, or the ratio was measured, or the sizes of flushes were
  std::string not_counted{};      // "SAI index by_v, materialized view by_day": come on top of all figures
  bool filters_left_out = false;  // some of its rows die, and it is too large for filters to be followed
  std::vector<TableSample> samples{};
  Lifelines lifelines{};
  std::vector<CompactionRow> compactions{};
  std::vector<BlockedFile> blocked{};
  std::vector<Blocker> blockers{};
  std::vector<TombstoneRow> tombstones{};
  std::vector<NamedPartition> largest{};  // of the last look, as `partitions`
  LargestOfRun most_bytes{};
  LargestOfRun most_rows{};
  LargestOfRun most_cells{};
  std::vector<GrowthPoint> growth{};  // of the first of the largest
  KeyChoices key_choices{};           // whoever knows the scenario's streams fills them in

  std::int64_t flushes = 0;
  Bytes flushed_bytes = 0;  // Data components
  Bytes flushed_uncompressed_bytes = 0;
  Rows flushed_rows = 0;
  std::int64_t compactions_done = 0;
  Bytes compacted_in_bytes = 0;  // read
  Bytes compacted_out_bytes = 0;
  Bytes rewritten_late_bytes = 0;  // by compactions of a time window that was one file already
  std::int64_t refused_compactions = 0;
  std::optional<Micros> first_refused_us{};

  Seconds default_ttl_s = 0;  // at the end, as the next two
  Seconds gc_grace_s = 0;
  std::optional<Seconds> window_length_s{};

  Peak disk{};
  Bytes disk_peak_temporary_bytes = 0;  // what of that peak was there twice: outputs beside their inputs
  Peak sstables{};
  Peak pending{};
  Peak blocked_peak{};
  Peak snapshots{};      // bytes that only snapshots keep
  std::string family{};  // of a month's table: the table that it is one of
  std::optional<Micros> dropped_us{};
  PartitionCensus partitions{};  // logical, at the end or when there were some last
  Micros partitions_at_us = 0;
  PartitionCensus fragments{};  // per SSTable, at the end
  Census end{};                 // files and memtable
  Census end_files{};
  RowBalance balance{};
  Rows memtable_rows = 0;
  double partitions_per_day = 0;  // while the table is written
  Micros written_from_us = 0;     // what its streams write begins and ends, within the run
  Micros written_until_us = 0;
  DelaySummary retention_overshoot{};
  DelaySummary erasure_delay{};
  Rows erasure_pending_rows = 0;  // deleted, the data still on disk
  std::optional<WindowCount> windows{};
  OffHeap off_heap{};          // at the end
  bool evenly_spread = false;  // cut by tokens that are not hashed: above run.exact_partitions

  double write_amplification() const {
    if (flushed_bytes == 0) return 1;
    return static_cast<double>(flushed_bytes + compacted_out_bytes) / static_cast<double>(flushed_bytes);
  }
};

/// What became of one limit, for one table or the node.
struct LimitOutcome {
  std::string name{};
  std::string table{};   // empty: the node
  int node = 0;          // whose it is, the worst of several that were run; 0: of the one
  bool measured = true;  // false: nothing in this run could measure it
  double value = 0;      // the worst of the run
  double bound = 0;
  std::optional<Micros> first_breach_us{};
  std::optional<double> end_value{};      // the last that was seen
  std::optional<Micros> held_again_us{};  // of a broken one that holds at the end: since when
  std::optional<Micros> worst_us{};       // when `value` was seen first
  std::optional<Micros> broken_for_us{};  // all times together in which it was broken; none: not counted
  bool rises = false;  // of a partition that nothing ends: it was never as large as at the end of the run

  Unit unit() const {
    const Limit* limit = find_limit(name);
    return limit == nullptr ? Unit::count : limit->unit;
  }
  bool holds() const { return !first_breach_us.has_value(); }
  /// What is left, as a share of the bound; negative where it is broken.
  double margin_share() const {
    const Limit* limit = find_limit(name);
    const double sign = limit != nullptr && limit->at_least ? -1 : 1;
    return bound != 0 ? sign * (bound - value) / bound : sign * value <= 0 ? 0.0 : -1.0;
  }
};

struct Incident {
  Micros at_us = 0;
  std::string what{};
};

/// The largest multiple of all rates at which every limit that can be measured holds, as far as runs have shown.
struct SafeGrowth {
  std::optional<double> factor{};     // every limit holds; none: at no multiple that was tried
  std::optional<double> breaks_at{};  // the lowest multiple that was seen to break one
  std::string stops_at{};             // the limit that broke first there
  std::string note{};                 // why the search ended before both are neighbours, or did not begin
};

/// A changed scenario that was run whole, for one limit.
struct TriedFix {
  std::vector<std::string> settings{};  // KEY=VALUE of --set
  std::string key_column{};             // what the schema has to get besides: "bucket text in the partition key of t"
  enum class Ending {
    holds,           // the limit, none that held before breaks, and lint finds nothing new
    warned,          // `warned`
    breaks_another,  // `note`
    helps,           // it is broken, but by less
    nothing,         // within a hundredth of what it was
    worse
  };
  Ending ending = Ending::nothing;
  double value = 0;      // of the limit, the worst
  bool rises = false;    // LimitOutcome::rises
  std::string note{};    // "sstables_max of readings"
  std::string warned{};  // rules of lint that it makes new findings of: "gc-grace-and-hints"
  std::string remark{};  // what else to know of it
};

/// Why a limit was broken, as this run shows it, and what came of changes that were run.
struct Advice {
  std::string limit{};
  std::string table{};  // empty: the node
  std::string cause{};
  std::vector<TriedFix> tried{};
  std::int64_t not_tried = 0;  // changes that were left out, or given up: they cost more than was allowed
  bool at_length = false;      // by --advice full: nothing tries more
};

/// Who ran: what result files say of themselves.
struct RunIdentity {
  std::string version{};
  std::string scenario_hash{};
  int node = 1;
  std::vector<int> alike{};  // all nodes of which this run tells; empty: of several like ones, or of all
};

/// What reads of one kind cost at a sample.
struct ReadSample {
  struct Spread {
    std::int64_t p50 = 0;
    std::int64_t p99 = 0;
    std::int64_t max = 0;
  };
  Micros at_us = 0;
  Spread partitions{};  // of a request
  double replicas = 0;  // that a request waits for, all its partitions together, in the mean
  double nodes = 0;     // different ones that its coordinator reaches (read_fan_out.h), in the mean
  Spread sstables{};    // of a read of one partition, as the following
  Spread rows{};
  Spread tombstones{};
  Spread bytes{};
  double false_positives = 0;  // of filters, expected, of a request
};

/// A [read.NAME] on this node.
struct ReadRecord {
  const ReadSpec* spec = nullptr;  // of the scenario
  std::vector<ReadSample> samples{};
  ReadSample worst{};                  // of each number the largest of all samples
  std::optional<Micros> warned_us{};   // first sample at which a read met more than 1,000 tombstones
  std::optional<Micros> refused_us{};  // and more than 100,000
  static constexpr std::int64_t tombstone_warn_threshold = 1000;  // cassandra.yaml, Cassandra 5.0.9
  static constexpr std::int64_t tombstone_failure_threshold = 100'000;
};

class ClusterLoad;
struct FaultRecord;

struct RunRecord {
  RunIdentity identity{};
  const Scenario* scenario = nullptr;         // outlives the record
  std::shared_ptr<const ClusterLoad> load{};  // of its nodes by hour (sim/load); null: the scenario names no nodes
  std::shared_ptr<const FaultRecord>
      faults{};             // outages, repairs, the ledger (sim/cluster); null: none in the scenario
  bool every_hour = false;  // of load.csv; else each node's worst hour of a day
  std::vector<TableRecord> tables{};
  std::vector<LimitOutcome> limits{};                      // of the worst node
  std::vector<LimitOutcome> own_limits{};                  // of this run's node, where several were run
  std::vector<std::shared_ptr<const RunRecord>> others{};  // runs of nodes that differ (node_runs.h)
  std::vector<ReadRecord> reads{};                         // as the scenario has them
  std::vector<Incident> incidents{};
  Peak disk{};
  Bytes end_disk_bytes = 0;
  bool complete = false;  // the run reached its end
  std::int64_t work = 0;  // what it cost, counted in steps (Recorder::work)
  Work done{};            // the same by kinds
  SafeGrowth growth{};
  std::vector<Advice> advice{};  // of broken limits, where somebody has asked
};

}  // namespace windrow
