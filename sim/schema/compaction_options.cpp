#include "sim/schema/compaction_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <type_traits>

#include "sim/schema/identifier.h"
#include "sim/schema/java_number.h"
#include "sim/schema/sub_option_reader.h"
#include "sim/schema/unified_options.h"

namespace windrow {

namespace {

constexpr std::string_view compaction_package = "org.apache.cassandra.db.compaction.";

constexpr std::string_view true_or_false = "'true' or 'false'";
constexpr std::string_view from_zero = "a whole number, 0 or more";
constexpr std::string_view from_one = "a whole number, 1 or more";

constexpr std::array common_sub_options = std::to_array<CompactionSubOption>({
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

constexpr std::array threshold_sub_options = std::to_array<CompactionSubOption>({
    {"min_threshold", "4", "a whole number, 2 or more", "fewest SSTables worth merging"},
    {"max_threshold", "32", "a whole number, min_threshold or more", "most SSTables merged at once"},
});

constexpr std::array size_tiered_sub_options = std::to_array<CompactionSubOption>({
    {"min_sstable_size", "52428800", "bytes as a plain whole number, 0 or more", "SSTables below this share a bucket"},
    {"bucket_low", "0.5", "a number below bucket_high",
     "an SSTable joins a bucket from this share of its mean size on"},
    {"bucket_high", "1.5", "a number above bucket_low", "an SSTable joins a bucket below this share of its mean size"},
});

constexpr std::array time_window_sub_options = std::to_array<CompactionSubOption>({
    {"compaction_window_unit", "DAYS", "MINUTES, HOURS or DAYS in upper case", "unit of the window"},
    {"compaction_window_size", "1", from_one, "units per window"},
    {"timestamp_resolution", "MICROSECONDS", "SECONDS, MILLISECONDS, MICROSECONDS or NANOSECONDS in upper case",
     "unit of the write timestamps"},
    {"expired_sstable_check_frequency_seconds", "600", from_zero, "time between two looks for fully expired SSTables"},
    {"unsafe_aggressive_sstable_expiration", "false", "'true' only with a JVM property, else 'false'",
     "drop expired SSTables without looking at overlaps"},
});

constexpr std::array leveled_sub_options = std::to_array<CompactionSubOption>({
    {"sstable_size_in_mb", "160", from_one, "target size of an SSTable, MiB"},
    {"fanout_size", "10", from_one, "how many times larger each level is"},
    {"single_sstable_uplevel", "false", true_or_false, "move a lone SSTable up without rewriting it"},
});

constexpr std::array unified_sub_options = std::to_array<CompactionSubOption>({
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

// CompactionParams.create
std::string overlapping_tombstones(const OptionMap& map) {
  const std::string value = upper_case(sub_option(map, "provide_overlapping_tombstones").value_or("NONE"));
  if (value == "NONE" || value == "ROW" || value == "CELL") return value;
  throw CompactionOptionError(
      "provide_overlapping_tombstones",
      fmt::format("Invalid value {} for 'provide_overlapping_tombstones' compaction sub-option - must be "
                  "one of the following [NONE, ROW, CELL].",
                  value),
      "NONE, ROW or CELL");
}

// AbstractCompactionStrategy.validateOptions
CommonCompactionOptions read_common(const OptionMap& map, const SubOptionReader& reader) {
  CommonCompactionOptions common;
  double threshold = common.tombstone_threshold;
  reader.read_double("tombstone_threshold", threshold, "int (base10)");
  if (threshold < 0)
    reader.refuse("tombstone_threshold",
                  fmt::format("tombstone_threshold must be greater than 0, but was {:f}", threshold));
  common.tombstone_threshold = static_cast<float>(threshold);
  reader.read_integer("tombstone_compaction_interval", common.tombstone_compaction_interval_s);
  if (common.tombstone_compaction_interval_s < 0)
    reader.refuse("tombstone_compaction_interval",
                  fmt::format("tombstone_compaction_interval must be greater than 0, but was {}",
                              common.tombstone_compaction_interval_s));
  reader.read_flag("unchecked_tombstone_compaction", common.unchecked_tombstone_compaction,
                   "'unchecked_tombstone_compaction' should be either 'true' or 'false', not '{}'");
  bool log_all = false;
  reader.read_flag("log_all", log_all, "'log_all' should either be 'true' or 'false', not {}");
  reader.read_flag("enabled", common.enabled, "enabled should either be 'true' or 'false', not {}");
  reader.read_lenient_flag("only_purge_repaired_tombstones", common.only_purge_repaired_tombstones);
  common.provide_overlapping_tombstones = overlapping_tombstones(map);
  return common;
}

// SizeTieredCompactionStrategyOptions.validateOptions
SizeTieredOptions read_size_tiered(const SubOptionReader& reader, CommonCompactionOptions common) {
  SizeTieredOptions options{.common = std::move(common)};
  reader.read_integer("min_sstable_size", options.min_sstable_size_bytes);
  if (options.min_sstable_size_bytes < 0)
    reader.refuse("min_sstable_size",
                  fmt::format("min_sstable_size must be non negative: {}", options.min_sstable_size_bytes));
  reader.read_double("bucket_low", options.bucket_low, "float");
  reader.read_double("bucket_high", options.bucket_high, "float");
  if (options.bucket_high <= options.bucket_low)
    reader.refuse("bucket_high",
                  fmt::format("bucket_high value ({}) is less than or equal to the bucket_low value ({})",
                              java_double_text(options.bucket_high), java_double_text(options.bucket_low)));
  return options;
}

// TimeWindowCompactionStrategyOptions.validateOptions
TimeWindowOptions read_time_window(const SubOptionReader& reader, CommonCompactionOptions common, bool unsafe_allowed) {
  TimeWindowOptions options;
  options.timestamp_resolution = reader.read_name("timestamp_resolution", "MICROSECONDS",
                                                  {"SECONDS", "MILLISECONDS", "MICROSECONDS", "NANOSECONDS"});
  const std::string_view unit = reader.read_name("compaction_window_unit", "DAYS", {"MINUTES", "HOURS", "DAYS"});
  options.window_unit_s = unit == "MINUTES" ? 60 : unit == "HOURS" ? 3'600 : 86'400;
  std::int32_t size = 1;
  reader.read_integer("compaction_window_size", size);
  if (size < 1)
    reader.refuse("compaction_window_size", fmt::format("{} must be greater than 1 for compaction_window_size", size));
  options.window_size = size;
  constexpr std::string_view frequency = "expired_sstable_check_frequency_seconds";
  reader.read_integer(frequency, options.expired_sstable_check_frequency_s);
  if (options.expired_sstable_check_frequency_s < 0)
    reader.refuse(frequency, fmt::format("{} must not be negative, but was {}", frequency,
                                         options.expired_sstable_check_frequency_s));
  constexpr std::string_view unsafe = "unsafe_aggressive_sstable_expiration";
  reader.read_flag(unsafe, options.unsafe_aggressive_sstable_expiration,
                   "unsafe_aggressive_sstable_expiration is not 'true' or 'false' ({})");
  if (options.unsafe_aggressive_sstable_expiration && !unsafe_allowed)
    reader.refuse(
        unsafe,
        fmt::format("{0} is requested but not allowed, restart cassandra with -Dcassandra.allow_{0}=true to allow it",
                    unsafe));
  for (const std::string_view name :
       {"unchecked_tombstone_compaction", "tombstone_compaction_interval", "tombstone_threshold"})
    options.tombstone_compactions |= reader.text(name).value_or("false") != "false";
  options.size_tiered = read_size_tiered(reader, std::move(common));
  return options;
}

// LeveledCompactionStrategy.validateOptions
LeveledOptions read_leveled(const SubOptionReader& reader, CommonCompactionOptions common) {
  LeveledOptions options;
  std::int32_t size = 160;
  reader.read_integer("sstable_size_in_mb", size);
  if (size < 1)
    reader.refuse("sstable_size_in_mb", fmt::format("sstable_size_in_mb must be larger than 0, but was {}", size));
  reader.read_integer("fanout_size", options.fanout_size);
  if (options.fanout_size < 1)
    reader.refuse("fanout_size", fmt::format("fanout_size must be larger than 0, but was {}", options.fanout_size));
  options.sstable_size_in_mb = size;
  const double top_level_bytes = std::pow(options.fanout_size, 8) * static_cast<double>(MiB(size));
  if (top_level_bytes >= 9223372036854775808.0)
    reader.refuse("fanout_size",
                  fmt::format("At most 9223372036854775807 bytes may be in a compaction level; your maxSSTableSize "
                              "must be absurdly high to compute {:.0f}",
                              top_level_bytes));
  reader.read_lenient_flag("single_sstable_uplevel", options.single_sstable_uplevel);
  options.size_tiered = read_size_tiered(reader, std::move(common));
  return options;
}

// The end of CompactionParams.validate, for every strategy alike.
void read_thresholds(const OptionMap& map, const SubOptionReader& reader, CommonCompactionOptions& common) {
  for (const std::string_view name : {"min_threshold", "max_threshold"}) {
    const auto text = sub_option(map, name);
    if (!text) continue;
    const auto digit = [](char letter) { return letter >= '0' && letter <= '9'; };
    if (text->empty() || !std::ranges::all_of(*text, digit))
      reader.refuse(name,
                    fmt::format("Invalid value {} for '{}' compaction sub-option - must be an integer", *text, name));
  }
  for (const auto& [name, value] :
       {std::pair{"min_threshold", &common.min_threshold}, {"max_threshold", &common.max_threshold}}) {
    const auto text = sub_option(map, name);
    if (!text) continue;
    const auto parsed = parse_java_int(*text);
    if (!parsed)
      reader.refuse(name, fmt::format("java.lang.NumberFormatException: For input string: \"{}\"", *text), true);
    *value = *parsed;
  }
  if (common.min_threshold <= 0 || common.max_threshold <= 0)
    reader.refuse(
        "min_threshold",
        "Disabling compaction by setting compaction thresholds to 0 has been removed, set the compaction option "
        "'enabled' to false instead.");
  if (common.min_threshold <= 1)
    reader.refuse("min_threshold",
                  fmt::format("Min compaction threshold cannot be less than 2 (got {})", common.min_threshold));
  if (common.min_threshold > common.max_threshold)
    reader.refuse(
        "min_threshold",
        fmt::format("Min compaction threshold (got {}) cannot be greater than max compaction threshold (got {})",
                    common.min_threshold, common.max_threshold));
}

/// A strategy of the engine: its short name, what its map may hold beside the common sub-options, and who reads that.
struct StrategyRow {
  std::string_view name{};
  std::span<const CompactionSubOption> own{};
  bool size_tiered = true;  // it has the sub-options of size tiers too, and both thresholds
  double bloom_filter_fp_chance = 0.01;
  CompactionOptions (*read)(const SubOptionReader&, CommonCompactionOptions, bool unsafe_allowed) = nullptr;
};

/// In the order of CompactionOptions.
constexpr std::array rows = std::to_array<StrategyRow>({
    {.name = "SizeTieredCompactionStrategy",
     .read = [](const SubOptionReader& reader, CommonCompactionOptions common, bool) -> CompactionOptions {
       return read_size_tiered(reader, std::move(common));
     }},
    {.name = "TimeWindowCompactionStrategy",
     .own = time_window_sub_options,
     .read = [](const SubOptionReader& reader, CommonCompactionOptions common, bool unsafe_allowed)
         -> CompactionOptions { return read_time_window(reader, std::move(common), unsafe_allowed); }},
    {.name = "LeveledCompactionStrategy",
     .own = leveled_sub_options,
     .bloom_filter_fp_chance = 0.1,
     .read = [](const SubOptionReader& reader, CommonCompactionOptions common, bool) -> CompactionOptions {
       return read_leveled(reader, std::move(common));
     }},
    {.name = "UnifiedCompactionStrategy",
     .own = unified_sub_options,
     .size_tiered = false,
     .read = [](const SubOptionReader& reader, CommonCompactionOptions common, bool unsafe_allowed)
         -> CompactionOptions { return read_unified_options(reader, std::move(common), unsafe_allowed); }},
});
static_assert(rows.size() + 1 == std::variant_size_v<CompactionOptions>, "no compaction at all is no strategy");

constexpr std::array strategy_classes = [] {
  std::array<std::string_view, rows.size()> all;
  std::ranges::transform(rows, all.begin(), &StrategyRow::name);
  return all;
}();

// Null for a class that no strategy has.
const StrategyRow* find_row(std::string_view class_name) {
  if (class_name.starts_with(compaction_package)) class_name.remove_prefix(compaction_package.size());
  const auto row = std::ranges::find(rows, class_name, &StrategyRow::name);
  return row == rows.end() ? nullptr : &*row;
}

// The strategy that `map` asks for (CompactionParams.classFromName).
const StrategyRow& row_of(const OptionMap& map) {
  const std::string classes = fmt::format("{}", fmt::join(strategy_classes, ", "));
  const auto given = sub_option(map, "class");
  if (!given) throw CompactionOptionError("class", "Missing sub-option 'class' for the 'compaction' option", classes);
  if (const StrategyRow* row = find_row(*given)) return *row;
  const bool full = given->find('.') != given->npos;
  throw CompactionOptionError(
      "class", fmt::format("Unable to find compaction strategy class '{}{}'", full ? "" : compaction_package, *given),
      classes);
}

// nullptr where there are none.
template <class Options>
auto* common_in(Options& options) {
  using Common = std::conditional_t<std::is_const_v<Options>, const CommonCompactionOptions, CommonCompactionOptions>;
  return std::visit(
      [](auto& each) -> Common* {
        if constexpr (requires { each.common; }) {
          return &each.common;
        } else if constexpr (requires { each.size_tiered; }) {
          return &each.size_tiered.common;
        } else {
          return nullptr;
        }
      },
      options);
}

}  // namespace

std::span<const std::string_view> strategy_names() { return strategy_classes; }

std::string_view strategy_name(const CompactionOptions& options) {
  return options.index() < rows.size() ? rows[options.index()].name : "none";
}

std::vector<CompactionSubOption> compaction_sub_options(std::string_view strategy) {
  std::vector<CompactionSubOption> options;
  const auto add = [&](const auto& more) { options.insert(options.end(), more.begin(), more.end()); };
  const StrategyRow* row = find_row(strategy);
  if (row == nullptr) return options;
  add(row->own);
  if (row->size_tiered) {
    add(threshold_sub_options);
    add(size_tiered_sub_options);
  }
  add(common_sub_options);
  return options;
}

double default_bloom_filter_fp_chance(std::string_view strategy) {
  const StrategyRow* row = find_row(strategy);
  return row != nullptr ? row->bloom_filter_fp_chance : StrategyRow{}.bloom_filter_fp_chance;
}

const CommonCompactionOptions& common_options(const CompactionOptions& options) {
  static const CommonCompactionOptions defaults{};
  const CommonCompactionOptions* common = common_in(options);
  return common == nullptr ? defaults : *common;
}

CompactionOptions parse_compaction_options(const OptionMap& map, bool allow_unsafe_aggressive_sstable_expiration) {
  const StrategyRow& row = row_of(map);
  overlapping_tombstones(map);
  const SubOptionReader reader(map, row.name);
  CompactionOptions options = row.read(reader, read_common(map, reader), allow_unsafe_aggressive_sstable_expiration);
  reader.refuse_unknown();
  read_thresholds(map, reader, *common_in(options));
  return options;
}

OptionMap effective_compaction_map(const OptionMap& map) {
  const StrategyRow& row = row_of(map);
  overlapping_tombstones(map);
  OptionMap effective = map;
  effective["class"] = fmt::format("{}{}", compaction_package, row.name);
  if (row.size_tiered) {
    effective.try_emplace("min_threshold", "4");
    effective.try_emplace("max_threshold", "32");
  }
  return effective;
}

}  // namespace windrow
