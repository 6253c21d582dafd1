#include <algorithm>
#include <array>

#include "sim/schema/compaction_options.h"

namespace windrow {

namespace {

constexpr std::string_view true_or_false = "'true' or 'false'";
constexpr std::string_view from_zero = "a whole number, 0 or more";
constexpr std::string_view from_one = "a whole number, 1 or more";

constexpr std::array names =
    std::to_array<std::string_view>({"SizeTieredCompactionStrategy", "TimeWindowCompactionStrategy",
                                     "LeveledCompactionStrategy", "UnifiedCompactionStrategy"});

constexpr std::array common = std::to_array<CompactionSubOption>({
    {"enabled", "true", true_or_false, "background compaction runs"},
    {"tombstone_threshold", "0.2", "a number, 0 or more", "droppable share above which an SSTable is compacted alone"},
    {"tombstone_compaction_interval", "86400", "seconds, 0 or more",
     "age an SSTable must have before it is compacted alone"},
    {"unchecked_tombstone_compaction", "false", true_or_false, "compact alone without looking at overlaps first"},
    {"only_purge_repaired_tombstones", "false", true_or_false, "purge tombstones of repaired SSTables only"},
    {"provide_overlapping_tombstones", "NONE", "NONE, ROW or CELL",
     "what overlapping SSTables contribute to a compaction"},
    {"log_all", "false", true_or_false, "a log of all compactions"},
});

constexpr std::array thresholds = std::to_array<CompactionSubOption>({
    {"min_threshold", "4", "a whole number, 2 or more", "fewest SSTables worth merging"},
    {"max_threshold", "32", "a whole number, min_threshold or more", "most SSTables merged at once"},
});

constexpr std::array size_tiered = std::to_array<CompactionSubOption>({
    {"min_sstable_size", "52428800", "bytes as a plain whole number, 0 or more", "SSTables below this share a bucket"},
    {"bucket_low", "0.5", "a number below bucket_high",
     "an SSTable joins a bucket from this share of its mean size on"},
    {"bucket_high", "1.5", "a number above bucket_low", "an SSTable joins a bucket below this share of its mean size"},
});

constexpr std::array time_window = std::to_array<CompactionSubOption>({
    {"compaction_window_unit", "DAYS", "MINUTES, HOURS or DAYS in upper case", "unit of the window"},
    {"compaction_window_size", "1", from_one, "units per window"},
    {"timestamp_resolution", "MICROSECONDS", "SECONDS, MILLISECONDS, MICROSECONDS or NANOSECONDS in upper case",
     "unit of the write timestamps"},
    {"expired_sstable_check_frequency_seconds", "600", from_zero, "time between two looks for fully expired SSTables"},
    {"unsafe_aggressive_sstable_expiration", "false", "'true' only with a JVM property, else 'false'",
     "drop expired SSTables without looking at overlaps"},
});

constexpr std::array leveled = std::to_array<CompactionSubOption>({
    {"sstable_size_in_mb", "160", from_one, "target size of an SSTable, MiB"},
    {"fanout_size", "10", from_one, "how many times larger each level is"},
    {"single_sstable_uplevel", "false", true_or_false, "move a lone SSTable up without rewriting it"},
});

constexpr std::array unified = std::to_array<CompactionSubOption>({
    {"scaling_parameters", "T4", "comma separated N, Lk, Tk (k from 2) or whole numbers",
     "levelled or tiered, per level"},
    {"target_sstable_size", "1GiB", "a size with its unit such as 1GiB, 1MiB or more", "size aimed at when splitting"},
    {"min_sstable_size", "100MiB", "a size with its unit such as 100MiB, below 70 % of target_sstable_size",
     "no splitting below this"},
    {"base_shard_count", "4", from_one, "shards of the token space at least"},
    {"sstable_growth", "0.333", "a number from 0 to 1, or a percentage",
     "share of growth that goes into larger SSTables"},
    {"flush_size_override", "", "a size with its unit such as 64MiB, 1MiB or more",
     "flush size instead of the measured one"},
    {"max_sstables_to_compact", "0", "a whole number; 0 or less: no limit", "most SSTables merged at once"},
    {"expired_sstable_check_frequency_seconds", "600", from_one, "time between two looks for fully expired SSTables"},
    {"unsafe_aggressive_sstable_expiration", "false", true_or_false,
     "drop expired SSTables without looking at overlaps"},
    {"overlap_inclusion_method", "TRANSITIVE", "NONE, SINGLE or TRANSITIVE",
     "which overlapping SSTables join a compaction"},
});

}  // namespace

std::span<const std::string_view> strategy_names() { return names; }

std::vector<CompactionSubOption> compaction_sub_options(std::string_view strategy) {
  strategy.remove_prefix(strategy.rfind('.') + 1);  // npos + 1 = 0
  std::vector<CompactionSubOption> options;
  const auto add = [&](const auto& more) { options.insert(options.end(), more.begin(), more.end()); };
  if (std::ranges::find(names, strategy) == names.end()) return options;
  if (strategy == "UnifiedCompactionStrategy") {
    add(unified);
  } else {
    if (strategy == "TimeWindowCompactionStrategy") add(time_window);
    if (strategy == "LeveledCompactionStrategy") add(leveled);
    add(thresholds);
    add(size_tiered);
  }
  add(common);
  return options;
}

}  // namespace windrow
