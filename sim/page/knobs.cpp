#include "sim/page/knobs.h"

#include <algorithm>
#include <array>

namespace windrow {

namespace {

constexpr std::array knobs = {
    Knob{"partition_size_max", "bucket length, shards",
         "Put a shorter bucket into the partition key, or give the busy entities more shards: both divide the "
         "partition."},
    Knob{"partition_size_p99", "bucket length", "Put a shorter bucket into the partition key."},
    Knob{"partition_rows_max", "bucket length, shards",
         "Put a shorter bucket into the partition key, or give the busy entities more shards: both divide the rows."},
    Knob{"partition_cells_max", "bucket length, columns per row",
         "Put a shorter bucket into the partition key, or write fewer columns a row (a frozen value is one cell)."},
    Knob{"disk_used_share", "nodes, default_time_to_live, compaction strategy",
         "Add nodes or disk, keep data for a shorter time, or choose a strategy that needs less temporary space."},
    Knob{"sstables_max", "compaction_window_size, flush size",
         "Use larger time windows, or larger memtables so that flushes are fewer and bigger."},
    Knob{"pending_compactions_max", "compaction_throughput, concurrent_compactors",
         "Give compaction more throughput or threads, or write less often: larger flushes mean fewer compactions."},
    Knob{"compaction_used_share", "compaction_throughput, compaction strategy",
         "Raise compaction_throughput, or choose options that rewrite less."},
    Knob{"held_back_share", "gc_grace_seconds, one TTL for all rows",
         "Shorten gc_grace_seconds (not below the repair cadence), and give all rows of the table the same TTL, so "
         "that whole "
         "SSTables can be dropped."},
    Knob{"erasure_days_max", "gc_grace_seconds, tombstone_compaction_interval",
         "Shorten gc_grace_seconds and tombstone_compaction_interval, or write data that must be erasable with a TTL."},
};

constexpr Knob general = {"", "the scenario", "Change what the limit counts, or the limit."};

}  // namespace

const Knob& knob_of(std::string_view limit) {
  const auto* found = std::ranges::find(knobs, limit, &Knob::limit);
  return found == knobs.end() ? general : *found;
}

}  // namespace windrow
