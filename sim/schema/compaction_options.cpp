#include "sim/schema/compaction_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>

#include "sim/base/overloaded.h"
#include "sim/schema/identifier.h"
#include "sim/schema/java_number.h"
#include "sim/schema/sub_option_reader.h"
#include "sim/schema/unified_options.h"

namespace windrow {

namespace {

constexpr std::string_view package = "org.apache.cassandra.db.compaction.";

// Short name of the strategy that `map` asks for (CompactionParams.classFromName).
std::string_view strategy_of(const OptionMap& map) {
  const std::string classes = fmt::format("{}", fmt::join(strategy_names(), ", "));
  const auto given = sub_option(map, "class");
  if (!given) throw CompactionOptionError("class", "Missing sub-option 'class' for the 'compaction' option", classes);
  const bool full = given->find('.') != given->npos;
  for (const std::string_view name : strategy_names())
    if (*given == name || (given->starts_with(package) && given->substr(package.size()) == name)) return name;
  throw CompactionOptionError(
      "class", fmt::format("Unable to find compaction strategy class '{}{}'", full ? "" : package, *given), classes);
}

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
TimeWindowOptions read_time_window(const OptionMap& map, const SubOptionReader& reader, CommonCompactionOptions common,
                                   bool unsafe_allowed) {
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
    options.tombstone_compactions |= sub_option(map, name).value_or("false") != "false";
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

std::string_view strategy_name(const CompactionOptions& options) {
  return std::visit(Overloaded{
                        [](const SizeTieredOptions&) { return strategy_names()[0]; },
                        [](const TimeWindowOptions&) { return strategy_names()[1]; },
                        [](const LeveledOptions&) { return strategy_names()[2]; },
                        [](const UnifiedOptions&) { return strategy_names()[3]; },
                        [](const NoCompactionOptions&) { return std::string_view("none"); },
                    },
                    options);
}

const CommonCompactionOptions& common_options(const CompactionOptions& options) {
  static const CommonCompactionOptions defaults{};
  const CommonCompactionOptions* common = common_in(options);
  return common == nullptr ? defaults : *common;
}

CompactionOptions parse_compaction_options(const OptionMap& map, bool allow_unsafe_aggressive_sstable_expiration) {
  const std::string_view strategy = strategy_of(map);
  overlapping_tombstones(map);
  const SubOptionReader reader(map, strategy);
  CommonCompactionOptions common = read_common(map, reader);
  CompactionOptions options;
  if (strategy == "SizeTieredCompactionStrategy") {
    options = read_size_tiered(reader, std::move(common));
  } else if (strategy == "TimeWindowCompactionStrategy") {
    options = read_time_window(map, reader, std::move(common), allow_unsafe_aggressive_sstable_expiration);
  } else if (strategy == "LeveledCompactionStrategy") {
    options = read_leveled(reader, std::move(common));
  } else {
    options = read_unified_options(reader, std::move(common), allow_unsafe_aggressive_sstable_expiration);
  }
  reader.refuse_unknown();
  read_thresholds(map, reader, *common_in(options));
  return options;
}

OptionMap effective_compaction_map(const OptionMap& map) {
  const std::string_view strategy = strategy_of(map);
  overlapping_tombstones(map);
  OptionMap effective = map;
  effective["class"] = fmt::format("{}{}", package, strategy);
  if (strategy != "UnifiedCompactionStrategy") {
    effective.try_emplace("min_threshold", "4");
    effective.try_emplace("max_threshold", "32");
  }
  return effective;
}

}  // namespace windrow
