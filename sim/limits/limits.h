#pragma once

#include <array>
#include <string_view>

#include "sim/text/unit.h"

namespace windrow {

/// What moves a limit's value, why it matters, and what to do when it is broken.
struct Knob {
  std::string_view knob = "the scenario";
  std::string_view why = "The scenario names this limit.";
  std::string_view fix = "Change what the limit counts, or the limit.";
  std::string_view strategy{};  // of the table; empty: of any, or of a node
};

/// A limit, described once: the keys of [limits], their reference, what a run watches, results and pages are made from
/// its row. Who measures it calls LimitWatch::see(limit_row("KEY"), …).
struct Limit {
  /// cluster: told by what is written where, before the run; faults: by what replicas missed and repairs brought;
  /// reads: of a table that a [read.NAME] asks
  enum class Of { table, node, cluster, faults, reads };
  std::string_view key{};
  Of of = Of::table;
  Unit unit = Unit::count;
  std::string_view counted{};  // the unit in words, for the key reference
  std::string_view meaning{};
  std::array<Knob, 4> knobs{};  // of a strategy first, of any strategy last
  bool at_least = false;        // the value may not be below the bound; else not above it
  /// How well a run knows when the limit was first broken. by: it looks at the value at samples, and the breach lies
  /// between the last that held and the one that is said; about: worked out from the size at the sample after it.
  enum class When { exactly, about, by };
  When when = When::exactly;

  const Knob& knob(std::string_view strategy) const;
  bool of_a_partition() const { return key.starts_with("partition_"); }
};

inline constexpr std::string_view many_sstables =
    "Each SSTable costs file handles and memory, and a read may have to ask many of them.";

/// In the order of the keys.
inline constexpr std::array all_limits = {
    Limit{"partition_size_max",
          Limit::Of::table,
          Unit::bytes,
          "size",
          "largest partition, all its rows",
          {Knob{"bucket length, shards",
                "Compaction, repair and reads of a large partition are slow, and it cannot be divided among nodes.",
                "Put a shorter bucket into the partition key, or give the busy entities more shards: both divide the "
                "partition."}},
          false,
          Limit::When::about},
    Limit{"partition_size_p99",
          Limit::Of::table,
          Unit::bytes,
          "size",
          "99th percentile of partitions",
          {Knob{"bucket length", "Reads of large partitions are slow, and there are many of them.",
                "Put a shorter bucket into the partition key."}},
          false,
          Limit::When::by},
    Limit{"partition_rows_max",
          Limit::Of::table,
          Unit::rows,
          "rows",
          "rows of a partition",
          {Knob{"bucket length, shards",
                "Each read of the partition's index and each repair of it has to pass these rows.",
                "Put a shorter bucket into the partition key, or give the busy entities more shards: both divide the "
                "rows."}}},
    Limit{"partition_cells_max",
          Limit::Of::table,
          Unit::cells,
          "cells",
          "cells of a partition",
          {Knob{"bucket length, columns per row", "Each cell costs memory when the partition is read or compacted.",
                "Put a shorter bucket into the partition key, or write fewer columns a row (a frozen value is one "
                "cell)."}}},
    Limit{"disk_used_share",
          Limit::Of::node,
          Unit::share,
          "share",
          "share of a node's disk in use at its peak",
          {Knob{"nodes, default_time_to_live, compaction strategy",
                "Compactions that find too little space are refused, and what they would free stays.",
                "Add nodes or disk, keep data for a shorter time, or choose a strategy that needs less temporary "
                "space."}}},
    Limit{"sstables_max",
          Limit::Of::table,
          Unit::count,
          "SSTables",
          "live SSTables of a table on a node",
          {Knob{"compaction_window_size, flush size", many_sstables,
                "Use larger time windows, or larger memtables so that flushes are fewer and bigger.",
                "TimeWindowCompactionStrategy"},
           Knob{"sstable_size_in_mb", many_sstables, "Use larger SSTables: every level cuts its files at this size.",
                "LeveledCompactionStrategy"},
           Knob{"target_sstable_size, sstable_growth, scaling_parameters", many_sstables,
                "Use larger SSTables, let them grow with the data, or tier less.", "UnifiedCompactionStrategy"},
           Knob{"min_threshold, flush size", many_sstables,
                "Compact as soon as fewer files are alike, or use larger memtables so that flushes are fewer and "
                "bigger."}}},
    Limit{"pending_compactions_max",
          Limit::Of::table,
          Unit::count,
          "compactions",
          "pending compactions of a node",
          {Knob{"compaction_throughput, concurrent_compactors",
                "What waits is read from more files, and takes its disk for longer.",
                "Give compaction more throughput or threads, or write less often: larger flushes mean fewer "
                "compactions."}}},
    Limit{"compaction_used_share",
          Limit::Of::node,
          Unit::share,
          "share",
          "share of the compaction throughput in use",
          {Knob{"compaction_throughput, compaction strategy",
                "What is left over is all that can catch up after an outage or a repair.",
                "Raise compaction_throughput, or choose options that rewrite less."}},
          false,
          Limit::When::by},
    Limit{"held_back_share",
          Limit::Of::table,
          Unit::share,
          "share",
          "share of live bytes that have expired and cannot be dropped",
          {Knob{"gc_grace_seconds, one TTL for all rows", "Disk is paid for data that nobody can read any more.",
                "Shorten gc_grace_seconds (not below the repair cadence), and give all rows of the table the same TTL, "
                "so that whole SSTables can be dropped."}},
          false,
          Limit::When::by},
    Limit{"tombstones_per_read_p99",
          Limit::Of::reads,
          Unit::count,
          "tombstones",
          "tombstones that a read of a partition meets",
          {Knob{"gc_grace_seconds, bucket length, range of the read",
                "The server warns of a read that meets more than 1,000 and refuses one that meets more than 100,000.",
                "Read less far back, or a shorter bucket; let dead rows go sooner with a shorter gc_grace_seconds (not "
                "below the repair cadence)."}},
          false,
          Limit::When::by},
    Limit{"sstables_per_read_p99",
          Limit::Of::reads,
          Unit::count,
          "SSTables",
          "SSTables that a read of a partition touches",
          {Knob{"bucket length, compaction_window_size", many_sstables,
                "Give buckets the length of a time window, or of several, so that a partition lies in few SSTables.",
                "TimeWindowCompactionStrategy"},
           Knob{"compaction strategy", many_sstables,
                "Choose a strategy that leaves fewer SSTables, or a shorter bucket."}},
          false,
          Limit::When::by},
    Limit{"node_max_over_mean",
          Limit::Of::cluster,
          Unit::ratio,
          "",
          "busiest node's writes in an hour over the mean node's",
          {Knob{"shards, bucket",
                "One node's processor, disk and compaction bear what was bought for several; the others idle.",
                "Give the busy entities shards in the partition key, so that a bucket lies on more nodes; a shorter "
                "bucket only changes how long a node burns."}}},
    Limit{"resurrected_rows",
          Limit::Of::faults,
          Unit::rows,
          "rows",
          "deleted rows that come back",
          {Knob{"gc_grace_seconds, repairs",
                "Readers see data that was deleted, and the next repair copies it to every replica.",
                "End each repair within gc_grace_seconds of the beginning of the one before, or give gc_grace_seconds "
                "that much."}}},
    Limit{"repair_margin_min",
          Limit::Of::faults,
          Unit::seconds,
          "time",
          "time left of gc_grace when a repair has streamed, since the one before began",
          {Knob{"gc_grace_seconds, repairs",
                "A delete that a replica missed must reach it before another one forgets the delete.",
                "Repair more often or faster, or raise gc_grace_seconds."}},
          true},
    Limit{"erasure_days_max",
          Limit::Of::table,
          Unit::days,
          "days",
          "days from DELETE until the data is gone from disk",
          {Knob{"gc_grace_seconds, tombstone_compaction_interval",
                "Data that was deleted is still on disk, and in backups, for as long.",
                "Shorten gc_grace_seconds and tombstone_compaction_interval, or write data that must be erasable with "
                "a TTL."}}},
};

/// The row of a key that is known while compiling; another does not compile.
consteval const Limit& limit_row(std::string_view key) {
  for (const Limit& limit : all_limits) {
    if (limit.key == key) return limit;
  }
  throw "no limit has this key";
}

/// The row of a key that was read; nullptr: there is none.
const Limit* find_limit(std::string_view key);

/// For a table of this strategy; of a limit that nobody knows, the general word.
const Knob& knob_of(std::string_view limit, std::string_view strategy = {});

}  // namespace windrow
