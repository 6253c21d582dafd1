#include "sim/page/knobs.h"

#include <algorithm>
#include <array>

namespace windrow {

namespace {

constexpr std::string_view many_sstables =
    "Each SSTable costs file handles and memory, and a read may have to ask many of them.";

constexpr std::array knobs = {
    Knob{"partition_size_max", "bucket length, shards",
         "Compaction, repair and reads of a large partition are slow, and it cannot be divided among nodes.",
         "Put a shorter bucket into the partition key, or give the busy entities more shards: both divide the "
         "partition."},
    Knob{"partition_size_p99", "bucket length", "Reads of large partitions are slow, and there are many of them.",
         "Put a shorter bucket into the partition key."},
    Knob{"partition_rows_max", "bucket length, shards",
         "Each read of the partition's index and each repair of it has to pass these rows.",
         "Put a shorter bucket into the partition key, or give the busy entities more shards: both divide the rows."},
    Knob{"partition_cells_max", "bucket length, columns per row",
         "Each cell costs memory when the partition is read or compacted.",
         "Put a shorter bucket into the partition key, or write fewer columns a row (a frozen value is one cell)."},
    Knob{"disk_used_share", "nodes, default_time_to_live, compaction strategy",
         "Compactions that find too little space are refused, and what they would free stays.",
         "Add nodes or disk, keep data for a shorter time, or choose a strategy that needs less temporary space."},
    Knob{"sstables_max", "compaction_window_size, flush size", many_sstables,
         "Use larger time windows, or larger memtables so that flushes are fewer and bigger.",
         "TimeWindowCompactionStrategy"},
    Knob{"sstables_max", "sstable_size_in_mb", many_sstables,
         "Use larger SSTables: every level cuts its files at this size.", "LeveledCompactionStrategy"},
    Knob{"sstables_max", "target_sstable_size, sstable_growth, scaling_parameters", many_sstables,
         "Use larger SSTables, let them grow with the data, or tier less.", "UnifiedCompactionStrategy"},
    Knob{"sstables_max", "min_threshold, flush size", many_sstables,
         "Compact as soon as fewer files are alike, or use larger memtables so that flushes are fewer and bigger."},
    Knob{"pending_compactions_max", "compaction_throughput, concurrent_compactors",
         "What waits is read from more files, and takes its disk for longer.",
         "Give compaction more throughput or threads, or write less often: larger flushes mean fewer compactions."},
    Knob{"compaction_used_share", "compaction_throughput, compaction strategy",
         "What is left over is all that can catch up after an outage or a repair.",
         "Raise compaction_throughput, or choose options that rewrite less."},
    Knob{"held_back_share", "gc_grace_seconds, one TTL for all rows",
         "Disk is paid for data that nobody can read any more.",
         "Shorten gc_grace_seconds (not below the repair cadence), and give all rows of the table the same TTL, so "
         "that whole "
         "SSTables can be dropped."},
    Knob{"erasure_days_max", "gc_grace_seconds, tombstone_compaction_interval",
         "Data that was deleted is still on disk, and in backups, for as long.",
         "Shorten gc_grace_seconds and tombstone_compaction_interval, or write data that must be erasable with a TTL."},
};

constexpr Knob general = {"", "the scenario", "The scenario names this limit.",
                          "Change what the limit counts, or the limit."};

}  // namespace

const Knob& knob_of(std::string_view limit, std::string_view strategy) {
  const Knob* found = &general;
  for (const Knob& knob : knobs) {
    if (knob.limit != limit) continue;
    if (knob.strategy == strategy) return knob;
    if (knob.strategy.empty()) found = &knob;
  }
  return *found;
}

const Knob& knob_of(const Facts& summary, const Facts& limit) {
  const std::string table = limit.text("table");
  return knob_of(limit.text("name"),
                 table.empty() ? std::string() : summary.below("tables").below(table).text("strategy"));
}

}  // namespace windrow
