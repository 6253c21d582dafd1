#include "sim/schema/compression_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "sim/schema/identifier.h"
#include "sim/schema/java_number.h"

namespace windrow {

namespace {

constexpr std::string_view compressor_package = "org.apache.cassandra.io.compress.";
constexpr std::string_view chunk_length = "chunk_length_in_kb";
constexpr std::string_view min_ratio = "min_compress_ratio";

struct Compressor {
  std::string_view name;
  std::array<std::string_view, 2> options;  // beside class, chunk_length_in_kb and min_compress_ratio
};
constexpr std::array compressors = std::to_array<Compressor>({
    {"LZ4Compressor", {"lz4_compressor_type", "lz4_high_compressor_level"}},
    {"ZstdCompressor", {"compression_level", ""}},
    {"SnappyCompressor", {"", ""}},
    {"DeflateCompressor", {"", ""}},
    {"NoopCompressor", {"", ""}},
});
constexpr std::string_view accepted_compressors =
    "LZ4Compressor, ZstdCompressor, SnappyCompressor, DeflateCompressor or NoopCompressor";

constexpr std::array compressor_classes = std::to_array<std::string_view>(
    {"LZ4Compressor", "ZstdCompressor", "SnappyCompressor", "DeflateCompressor", "NoopCompressor"});

constexpr std::array sub_options =
    std::to_array<std::string_view>({"class", "chunk_length_in_kb", "enabled", "min_compress_ratio",
                                     "lz4_compressor_type", "lz4_high_compressor_level", "compression_level"});

[[noreturn]] void refuse(std::string_view key, std::string message, std::string_view accepted,
                         bool server_error = false) {
  throw OptionError(std::string(key), std::move(message), std::string(accepted), server_error);
}

const Compressor& compressor_of(std::string_view name) {
  const bool full = name.find('.') != name.npos;
  for (const Compressor& each : compressors)
    if (name == each.name ||
        (name.starts_with(compressor_package) && name.substr(compressor_package.size()) == each.name))
      return each;
  refuse("class", fmt::format("Could not create Compression for type {}{}", full ? "" : compressor_package, name),
         accepted_compressors);
}

void check_chunk_length(const OptionMap& map) {
  constexpr std::string_view accepted = "a power of 2 such as '4', '16' or '64'";
  const auto found = map.find(chunk_length);
  if (found == map.end()) return;
  const std::optional<std::int32_t> kib = parse_java_int(found->second);
  if (!kib) refuse(chunk_length, "Invalid value for chunk_length_in_kb", accepted);
  if (*kib > std::numeric_limits<std::int32_t>::max() / 1024)
    refuse(chunk_length, fmt::format("Value of chunk_length_in_kb is too large ({})", *kib), accepted);
  if (*kib <= 0) refuse(chunk_length, "Invalid negative or null chunk_length_in_kb", accepted);
  if ((*kib & (*kib - 1)) != 0) refuse(chunk_length, "chunk_length_in_kb must be a power of 2", accepted);
}

// Returns the ratio, 0 if it is not given.
double check_min_ratio(const OptionMap& map, Bytes chunk_bytes) {
  constexpr std::string_view accepted = "0, or a number from 1 on";
  const auto found = map.find(min_ratio);
  if (found == map.end()) return 0;
  const std::optional<double> ratio = parse_java_double(found->second);
  if (!ratio)
    refuse(min_ratio, fmt::format("java.lang.NumberFormatException: For input string: \"{}\"", found->second), accepted,
           true);
  const double most = std::ceil(std::min(static_cast<double>(chunk_bytes) / *ratio, 2147483647.0));
  if (most < 0) refuse(min_ratio, "Invalid negative min_compress_ratio", accepted);
  if (most > static_cast<double>(chunk_bytes) && most < 2147483647.0)
    refuse(min_ratio, "min_compress_ratio can either be 0 or greater than or equal to 1", accepted);
  return *ratio;
}

void check_level(const OptionMap& map, std::string_view key, int lowest, int highest) {
  const auto found = map.find(key);
  if (found == map.end()) return;
  const std::optional<std::int32_t> level = parse_java_int(found->second);
  if (!level || *level < lowest || *level > highest)
    refuse(key,
           fmt::format("Invalid value [{}] for parameter '{}'. Value must be between {} and {}.", found->second, key,
                       lowest, highest),
           fmt::format("a whole number from {} to {}", lowest, highest));
}

void check_compressor_options(const OptionMap& map, const Compressor& compressor) {
  const auto type = map.find("lz4_compressor_type");
  if (compressor.name == "LZ4Compressor" && type != map.end() && type->second != "fast" && type->second != "high")
    refuse("lz4_compressor_type",
           fmt::format("Invalid compressor type '{}' specified for LZ4 parameter 'lz4_compressor_type'. Valid options "
                       "are [high, fast].",
                       type->second),
           "'fast' or 'high'");
  if (compressor.name == "LZ4Compressor") check_level(map, "lz4_high_compressor_level", 1, 17);
  if (compressor.name == "ZstdCompressor") check_level(map, "compression_level", -131072, 22);
  for (const auto& [key, value] : map) {
    if (key == "class" || key == "enabled" || key == chunk_length || key == min_ratio) continue;
    if (std::ranges::find(compressor.options, key) == compressor.options.end())
      refuse(key, fmt::format("Unknown compression options {}", key),
             fmt::format("class, chunk_length_in_kb, min_compress_ratio, enabled{}{}{}{}",
                         compressor.options[0].empty() ? "" : ", ", compressor.options[0],
                         compressor.options[1].empty() ? "" : ", ", compressor.options[1]));
  }
}

}  // namespace

std::span<const std::string_view> compressor_names() { return compressor_classes; }

std::span<const std::string_view> compression_sub_options() { return sub_options; }

OptionMap effective_compression_map(const OptionMap& map) {
  const OptionMap disabled = {{"enabled", "false"}};
  const auto enabled_text = map.find("enabled");
  const bool enabled = enabled_text == map.end() || equals_ignore_case(enabled_text->second, "true");
  const auto name = map.find("class");
  if (map.empty()) return disabled;
  if (enabled && name == map.end())
    refuse("class", "Missing sub-option 'class' for the 'compression' option.", accepted_compressors);
  if (!enabled && map.size() > 1)
    refuse(
        name == map.end() ? (map.begin()->first == "enabled" ? std::next(map.begin()) : map.begin())->first : "class",
        "If the 'enabled' option is set to false no other options must be specified", "'enabled': 'false' alone");
  if (!enabled) return disabled;
  if (name->second.empty())
    refuse("class", "The 'class' option must not be empty. To disable compression use 'enabled' : false",
           accepted_compressors);
  check_chunk_length(map);
  OptionMap effective = map;
  effective.erase("enabled");
  effective.try_emplace(std::string(chunk_length), "16");
  const auto ratio_text = map.find(min_ratio);
  if (ratio_text != map.end() && !parse_java_double(ratio_text->second)) check_min_ratio(map, 0);
  const Compressor& compressor = compressor_of(name->second);
  check_compressor_options(map, compressor);
  const double ratio = check_min_ratio(map, chunk_length_bytes(effective));
  effective.erase(std::string(min_ratio));
  if (ratio != 0) effective[std::string(min_ratio)] = java_double_text(ratio);
  effective["class"] = fmt::format("{}{}", compressor_package, compressor.name);
  effective[std::string(chunk_length)] = std::to_string(chunk_length_bytes(effective) / 1024);
  return effective;
}

Bytes chunk_length_bytes(const OptionMap& effective_compression) {
  const auto found = effective_compression.find(chunk_length);
  const std::optional<std::int32_t> kib =
      found == effective_compression.end() ? std::nullopt : parse_java_int(found->second);
  return KiB(kib.value_or(16));
}

}  // namespace windrow
