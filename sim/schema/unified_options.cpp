#include "sim/schema/unified_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "sim/schema/identifier.h"
#include "sim/schema/java_number.h"

namespace windrow {

namespace {

// UnifiedCompactionStrategy.parseScalingParameter: (N)|L(\d+)|T(\d+)|([+-]?\d+)
int parse_scaling_parameter(const SubOptionReader& reader, std::string_view text) {
  constexpr std::string_view name = "scaling_parameters";
  if (text == "N") return 0;
  const bool named = text.starts_with('L') || text.starts_with('T');
  const std::string_view digits = named ? text.substr(1) : text;
  const bool sign = !named && (digits.starts_with('-') || digits.starts_with('+'));
  const std::string_view unsigned_digits = sign ? digits.substr(1) : digits;
  const auto digit = [](char letter) { return letter >= '0' && letter <= '9'; };
  if (unsigned_digits.empty() || !std::ranges::all_of(unsigned_digits, digit))
    reader.refuse(name, fmt::format("Scaling parameter {} must match N|L[0-9]+|T[0-9]+|[+-]?[0-9]+", text));
  const std::optional<std::int32_t> value = parse_java_int(digits);
  if (!value)
    reader.refuse(name,
                  fmt::format("org.apache.cassandra.db.compaction.UnifiedCompactionStrategy.validateOptions() threw "
                              "an error: java.lang.NumberFormatException For input string: \"{}\"",
                              digits));
  if (!named) return *value;
  if (*value < 2) reader.refuse(name, fmt::format("Fan factor cannot be lower than 2 in {}", text));
  return text.starts_with('L') ? 2 - *value : *value - 2;
}

// Java's split drops empty parts at the end, so that "T4," is T4. Of "," nothing is left: the server accepts it and
// fails when it compacts; we stay with the default.
std::vector<int> parse_scaling_parameters(const SubOptionReader& reader, std::vector<int> otherwise) {
  const auto given = reader.text("scaling_parameters");
  if (!given || (!given->empty() && given->find_first_not_of(',') == given->npos)) return otherwise;
  const std::string_view text = given->substr(0, given->find_last_not_of(',') + 1);
  std::vector<int> parameters;
  for (std::size_t from = 0;;) {
    const std::size_t comma = text.find(',', from);
    parameters.push_back(parse_scaling_parameter(reader, java_trimmed(text.substr(from, comma - from))));
    if (comma == text.npos) return parameters;
    from = comma + 1;
  }
}

Bytes read_target_size(const SubOptionReader& reader, Bytes otherwise) {
  constexpr std::string_view name = "target_sstable_size";
  const auto text = reader.text(name);
  if (!text) return otherwise;
  const std::optional<double> size = parse_java_size(*text);
  if (!size) reader.refuse(name, fmt::format("{} {} is not a valid size in bytes", name, *text));
  if (*size >= 9223372036854775808.0) reader.refuse(name, fmt::format("{} {} is out of range of Long.", name, *text));
  if (*size < static_cast<double>(MiB(1)))
    reader.refuse(
        name, fmt::format("{} {} is not acceptable, size must be at least {}", name, *text, java_size_text(MiB(1))));
  return std::isnan(*size) ? 0 : static_cast<Bytes>(std::ceil(*size));
}

Bytes read_flush_size(const SubOptionReader& reader) {
  constexpr std::string_view name = "flush_size_override";
  const auto text = reader.text(name);
  if (!text) return 0;
  const std::optional<std::int64_t> size = parse_java_bytes(*text);
  if (!size) reader.refuse(name, fmt::format("{} {} is not a valid size in bytes", name, *text));
  if (*size < MiB(1))
    reader.refuse(
        name, fmt::format("{} {} is not acceptable, size must be at least {}", name, *text, java_size_text(MiB(1))));
  return *size;
}

Bytes read_min_size(const SubOptionReader& reader, Bytes target_bytes, Bytes otherwise) {
  constexpr std::string_view name = "min_sstable_size";
  const auto text = reader.text(name);
  if (!text) return otherwise;
  const std::optional<std::int64_t> size = parse_java_bytes(*text);
  if (!size) reader.refuse(name, fmt::format("{} is not a valid size in bytes for {}", *text, name));
  if (*size < 0)
    reader.refuse(name, fmt::format("Invalid configuration, {} should be greater than or equal to 0 (zero)", name));
  const double limit = std::ceil(static_cast<double>(target_bytes) * std::sqrt(0.5));
  if (static_cast<double>(*size) >= limit)
    reader.refuse(
        name, fmt::format("Invalid configuration, {} ({}) should be less than 70% of the targetSSTableSize ({})", name,
                          java_size_text(*size), java_size_text(target_bytes)));
  return *size;
}

double read_growth(const SubOptionReader& reader, double otherwise) {
  constexpr std::string_view name = "sstable_growth";
  const auto text = reader.text(name);
  if (!text) return otherwise;
  const std::optional<double> growth = parse_java_percent(*text);
  if (!growth) reader.refuse(name, fmt::format("{} is not a valid number between 0 and 1: {}", name, *text));
  if (*growth < 0 || *growth > 1) reader.refuse(name, fmt::format("{} {} must be between 0 and 1", name, *text));
  return *growth;
}

UnifiedOptions::Overlap read_overlap(const SubOptionReader& reader) {
  constexpr std::string_view name = "overlap_inclusion_method";
  const std::string text = upper_case(reader.text(name).value_or("TRANSITIVE"));
  if (text == "NONE") return UnifiedOptions::Overlap::none;
  if (text == "SINGLE") return UnifiedOptions::Overlap::single;
  if (text == "TRANSITIVE") return UnifiedOptions::Overlap::transitive;
  reader.refuse(
      name,
      fmt::format("Invalid overlap inclusion method {}. The valid options are [NONE, SINGLE, TRANSITIVE].", text));
}

}  // namespace

UnifiedOptions read_unified_options(const SubOptionReader& reader, CommonCompactionOptions common,
                                    bool allow_unsafe_expiration) {
  UnifiedOptions options{.common = std::move(common)};
  options.scaling_parameters = parse_scaling_parameters(reader, options.scaling_parameters);
  reader.read_integer("base_shard_count", options.base_shard_count);
  if (options.base_shard_count <= 0)
    reader.refuse("base_shard_count", fmt::format("Invalid configuration, base_shard_count should be positive: {}",
                                                  options.base_shard_count));
  options.target_sstable_size_bytes = read_target_size(reader, options.target_sstable_size_bytes);
  options.flush_size_override_bytes = read_flush_size(reader);
  reader.read_integer("max_sstables_to_compact", options.max_sstables_to_compact);
  options.max_sstables_to_compact = std::max(0, options.max_sstables_to_compact);
  constexpr std::string_view frequency = "expired_sstable_check_frequency_seconds";
  reader.read_integer(frequency, options.expired_sstable_check_frequency_s, "long");
  if (options.expired_sstable_check_frequency_s <= 0)
    reader.refuse(frequency, fmt::format("Invalid configuration, {} should be positive: {}", frequency,
                                         options.expired_sstable_check_frequency_s));
  reader.read_flag("unsafe_aggressive_sstable_expiration", options.unsafe_aggressive_sstable_expiration,
                   "unsafe_aggressive_sstable_expiration should either be 'true' or 'false', not {}");
  options.unsafe_aggressive_sstable_expiration &= allow_unsafe_expiration;
  options.overlap_inclusion_method = read_overlap(reader);
  options.min_sstable_size_bytes =
      read_min_size(reader, options.target_sstable_size_bytes, options.min_sstable_size_bytes);
  options.sstable_growth = read_growth(reader, options.sstable_growth);
  return options;
}

}  // namespace windrow
