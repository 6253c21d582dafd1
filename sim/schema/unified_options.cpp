#include "sim/schema/unified_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "sim/schema/identifier.h"
#include "sim/schema/java_number.h"

namespace windrow {

namespace {

constexpr std::string_view class_name = "UnifiedCompactionStrategy";

[[noreturn]] void refuse(std::string_view name, std::string message) {
  std::string accepted;
  for (const CompactionSubOption& option : compaction_sub_options(class_name))
    if (option.name == name) accepted = option.accepted;
  throw CompactionOptionError(std::string(name), std::move(message), std::move(accepted));
}

std::optional<std::string_view> value_of(const OptionMap& map, std::string_view name) {
  const auto found = map.find(name);
  if (found == map.end()) return std::nullopt;
  return found->second;
}

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char letter) { return static_cast<unsigned char>(letter) <= ' '; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

// UnifiedCompactionStrategy.parseScalingParameter: (N)|L(\d+)|T(\d+)|([+-]?\d+)
int parse_scaling_parameter(std::string_view text) {
  if (text == "N") return 0;
  const bool named = text.starts_with('L') || text.starts_with('T');
  const std::string_view digits = named ? text.substr(1) : text;
  const std::string_view unsigned_digits =
      !named && (digits.starts_with('-') || digits.starts_with('+')) ? digits.substr(1) : digits;
  const auto digit = [](char letter) { return letter >= '0' && letter <= '9'; };
  if (unsigned_digits.empty() || !std::ranges::all_of(unsigned_digits, digit))
    refuse("scaling_parameters", fmt::format("Scaling parameter {} must match N|L[0-9]+|T[0-9]+|[+-]?[0-9]+", text));
  const std::optional<std::int32_t> value = parse_java_int(digits);
  if (!value)
    refuse("scaling_parameters", fmt::format("org.apache.cassandra.db.compaction.{}.validateOptions() threw an error: "
                                             "java.lang.NumberFormatException For input string: \"{}\"",
                                             class_name, digits));
  if (!named) return *value;
  if (*value < 2) refuse("scaling_parameters", fmt::format("Fan factor cannot be lower than 2 in {}", text));
  return text.starts_with('L') ? 2 - *value : *value - 2;
}

// Java's split drops empty parts at the end, so that "T4," is T4. Of "," nothing is left: the server accepts it and
// fails when it compacts; we stay with the default.
std::vector<int> parse_scaling_parameters(std::string_view text, std::vector<int> otherwise) {
  if (!text.empty() && text.find_first_not_of(',') == text.npos) return otherwise;
  text = text.substr(0, text.find_last_not_of(',') + 1);
  std::vector<int> parameters;
  for (std::size_t from = 0;;) {
    const std::size_t comma = text.find(',', from);
    parameters.push_back(parse_scaling_parameter(trimmed(text.substr(from, comma - from))));
    if (comma == text.npos) return parameters;
    from = comma + 1;
  }
}

Bytes read_target_size(const OptionMap& map, Bytes otherwise) {
  constexpr std::string_view name = "target_sstable_size";
  const auto text = value_of(map, name);
  if (!text) return otherwise;
  const std::optional<double> size = parse_java_size(*text);
  if (!size) refuse(name, fmt::format("{} {} is not a valid size in bytes", name, *text));
  if (*size >= 9223372036854775808.0) refuse(name, fmt::format("{} {} is out of range of Long.", name, *text));
  if (*size < static_cast<double>(MiB(1)))
    refuse(name, fmt::format("{} {} is not acceptable, size must be at least {}", name, *text, java_size_text(MiB(1))));
  return std::isnan(*size) ? 0 : static_cast<Bytes>(std::ceil(*size));
}

Bytes read_flush_size(const OptionMap& map) {
  constexpr std::string_view name = "flush_size_override";
  const auto text = value_of(map, name);
  if (!text) return 0;
  const std::optional<std::int64_t> size = parse_java_bytes(*text);
  if (!size) refuse(name, fmt::format("{} {} is not a valid size in bytes", name, *text));
  if (*size < MiB(1))
    refuse(name, fmt::format("{} {} is not acceptable, size must be at least {}", name, *text, java_size_text(MiB(1))));
  return *size;
}

Bytes read_min_size(const OptionMap& map, Bytes target_bytes, Bytes otherwise) {
  constexpr std::string_view name = "min_sstable_size";
  const auto text = value_of(map, name);
  if (!text) return otherwise;
  const std::optional<std::int64_t> size = parse_java_bytes(*text);
  if (!size) refuse(name, fmt::format("{} is not a valid size in bytes for {}", *text, name));
  if (*size < 0)
    refuse(name, fmt::format("Invalid configuration, {} should be greater than or equal to 0 (zero)", name));
  if (*size >= static_cast<Bytes>(std::ceil(static_cast<double>(target_bytes) * std::sqrt(0.5))))
    refuse(name, fmt::format("Invalid configuration, {} ({}) should be less than 70% of the targetSSTableSize ({})",
                             name, java_size_text(*size), java_size_text(target_bytes)));
  return *size;
}

double read_growth(const OptionMap& map, double otherwise) {
  constexpr std::string_view name = "sstable_growth";
  const auto text = value_of(map, name);
  if (!text) return otherwise;
  const std::optional<double> growth = parse_java_percent(*text);
  if (!growth) refuse(name, fmt::format("{} is not a valid number between 0 and 1: {}", name, *text));
  if (*growth < 0 || *growth > 1) refuse(name, fmt::format("{} {} must be between 0 and 1", name, *text));
  return *growth;
}

UnifiedOptions::Overlap read_overlap(const OptionMap& map) {
  constexpr std::string_view name = "overlap_inclusion_method";
  const std::string text = upper_case(value_of(map, name).value_or("TRANSITIVE"));
  if (text == "NONE") return UnifiedOptions::Overlap::none;
  if (text == "SINGLE") return UnifiedOptions::Overlap::single;
  if (text == "TRANSITIVE") return UnifiedOptions::Overlap::transitive;
  refuse(name,
         fmt::format("Invalid overlap inclusion method {}. The valid options are [NONE, SINGLE, TRANSITIVE].", text));
}

}  // namespace

UnifiedOptions read_unified_options(const OptionMap& map, CommonCompactionOptions common,
                                    bool allow_unsafe_expiration) {
  UnifiedOptions options{.common = std::move(common)};
  if (const auto text = value_of(map, "scaling_parameters"))
    options.scaling_parameters = parse_scaling_parameters(*text, options.scaling_parameters);
  if (const auto text = value_of(map, "base_shard_count")) {
    const std::optional<std::int32_t> count = parse_java_int(*text);
    if (!count)
      refuse("base_shard_count", fmt::format("{} is not a parsable int (base10) for base_shard_count", *text));
    if (*count <= 0)
      refuse("base_shard_count", fmt::format("Invalid configuration, base_shard_count should be positive: {}", *count));
    options.base_shard_count = *count;
  }
  options.target_sstable_size_bytes = read_target_size(map, options.target_sstable_size_bytes);
  options.flush_size_override_bytes = read_flush_size(map);
  if (const auto text = value_of(map, "max_sstables_to_compact")) {
    const std::optional<std::int32_t> count = parse_java_int(*text);
    if (!count)
      refuse("max_sstables_to_compact",
             fmt::format("{} is not a parsable int (base10) for max_sstables_to_compact", *text));
    options.max_sstables_to_compact = std::max(0, *count);
  }
  constexpr std::string_view frequency = "expired_sstable_check_frequency_seconds";
  if (const auto text = value_of(map, frequency)) {
    const std::optional<std::int64_t> seconds = parse_java_long(*text);
    if (!seconds) refuse(frequency, fmt::format("{} is not a parsable long (base10) for {}", *text, frequency));
    if (*seconds <= 0)
      refuse(frequency, fmt::format("Invalid configuration, {} should be positive: {}", frequency, *seconds));
    options.expired_sstable_check_frequency_s = *seconds;
  }
  constexpr std::string_view unsafe = "unsafe_aggressive_sstable_expiration";
  if (const auto text = value_of(map, unsafe)) {
    const bool wanted = equals_ignore_case(*text, "true");
    if (!wanted && !equals_ignore_case(*text, "false"))
      refuse(unsafe, fmt::format("{} should either be 'true' or 'false', not {}", unsafe, *text));
    options.unsafe_aggressive_sstable_expiration = wanted && allow_unsafe_expiration;
  }
  options.overlap_inclusion_method = read_overlap(map);
  options.min_sstable_size_bytes =
      read_min_size(map, options.target_sstable_size_bytes, options.min_sstable_size_bytes);
  options.sstable_growth = read_growth(map, options.sstable_growth);
  return options;
}

}  // namespace windrow
