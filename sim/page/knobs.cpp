#include "sim/page/knobs.h"

#include <algorithm>
#include <array>

namespace windrow {

namespace {

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
    Knob{"sstables_max", "compaction_window_size, flush size",
         "Each SSTable costs file handles and memory, and a read may have to ask many of them.",
         "Use larger time windows, or larger memtables so that flushes are fewer and bigger."},
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

const Knob& knob_of(std::string_view limit) {
  const auto* found = std::ranges::find(knobs, limit, &Knob::limit);
  return found == knobs.end() ? general : *found;
}

}  // namespace windrow
