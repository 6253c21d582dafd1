#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/base/units.h"
#include "sim/schema/option_error.h"

namespace windrow {

/// The `compaction` map of a table as written, sub-option name to value.
using OptionMap = std::map<std::string, std::string, std::less<>>;

/// Options of AbstractCompactionStrategy, Cassandra 5.0.9.
struct CommonCompactionOptions {
  bool enabled = true;
  float tombstone_threshold = 0.2F;  // a float in the engine: compared as 0.20000000298023224
  Seconds tombstone_compaction_interval_s = 86'400;
  bool unchecked_tombstone_compaction = false;
  bool only_purge_repaired_tombstones = false;
  std::string provide_overlapping_tombstones = "NONE";  // not modelled beyond NONE
  int min_threshold = 4;
  int max_threshold = 32;
};

/// SizeTieredCompactionStrategyOptions; also used inside TWCS's newest window and LCS's level 0.
struct SizeTieredOptions {
  CommonCompactionOptions common{};
  Bytes min_sstable_size_bytes = MiB(50);
  double bucket_low = 0.5;
  double bucket_high = 1.5;
};

/// TimeWindowCompactionStrategyOptions.
struct TimeWindowOptions {
  SizeTieredOptions size_tiered{};
  Seconds window_unit_s = 86'400;  // 60, 3600 or 86400
  std::int64_t window_size = 1;    // in units
  std::string timestamp_resolution = "MICROSECONDS";
  Seconds expired_sstable_check_frequency_s = 600;
  bool unsafe_aggressive_sstable_expiration = false;
  bool tombstone_compactions = false;  // rule 7.9: on only if one of the tombstone sub-options is given
};

/// LeveledCompactionStrategy.
struct LeveledOptions {
  SizeTieredOptions size_tiered{};
  std::int64_t sstable_size_in_mb = 160;
  int fanout_size = 10;
  bool single_sstable_uplevel = false;
};

/// UnifiedCompactionStrategy, org.apache.cassandra.db.compaction.unified.Controller.
struct UnifiedOptions {
  CommonCompactionOptions common{};
  std::vector<int> scaling_parameters = {2};  // W per level, the last one repeats: N = 0, Lk = 2 - k, Tk = k - 2
  Bytes target_sstable_size_bytes = GiB(1);
  Bytes min_sstable_size_bytes = MiB(100);
  int base_shard_count = 4;
  double sstable_growth = 0.333;
  Bytes flush_size_override_bytes = 0;  // 0: measured
  int max_sstables_to_compact = 0;      // 0: unlimited
  Seconds expired_sstable_check_frequency_s = 600;
  bool unsafe_aggressive_sstable_expiration = false;
  enum class Overlap { none, single, transitive };
  Overlap overlap_inclusion_method = Overlap::transitive;
};

/// No compaction at all: the baseline of comparisons, no strategy of the engine.
struct NoCompactionOptions {};

using CompactionOptions =
    std::variant<SizeTieredOptions, TimeWindowOptions, LeveledOptions, UnifiedOptions, NoCompactionOptions>;

/// "SizeTieredCompactionStrategy" and so on.
std::string_view strategy_name(const CompactionOptions& options);

/// The options every strategy shares.
const CommonCompactionOptions& common_options(const CompactionOptions& options);

/// A compaction map that the server refuses.
struct CompactionOptionError : OptionError {
  using OptionError::OptionError;
};

/// A sub-option that a strategy understands.
struct CompactionSubOption {
  std::string_view name;
  std::string_view default_value;  // as text; empty: none
  std::string_view accepted;
  std::string_view meaning;
};

/// The strategies of the engine by their short names: "SizeTieredCompactionStrategy", …
std::span<const std::string_view> strategy_names();

/// What the map of that strategy (short or full class name) may hold, 'class' left out. Empty for an unknown strategy.
std::vector<CompactionSubOption> compaction_sub_options(std::string_view strategy);

/// Where a new table names none (TableParams).
double default_bloom_filter_fp_chance(std::string_view strategy);

/// Reads and checks a compaction map as the server does at CREATE and ALTER (CompactionParams, validateOptions of each
/// class). `allow_unsafe_aggressive_sstable_expiration`: the JVM property of rule 7.1. Throws CompactionOptionError.
CompactionOptions parse_compaction_options(const OptionMap& map,
                                           bool allow_unsafe_aggressive_sstable_expiration = false);

/// The map as system_schema shows it: the class by its full name, both thresholds where the strategy has them
/// (CompactionParams.create). Throws CompactionOptionError where the server fails before it checks the sub-options:
/// no class, an unknown one, a wrong provide_overlapping_tombstones.
OptionMap effective_compaction_map(const OptionMap& map);

}  // namespace windrow
