#include "sim/cql/table_properties.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/base/nearest.h"
#include "sim/cql/parser.h"
#include "sim/schema/compression_options.h"
#include "sim/schema/identifier.h"
#include "sim/schema/java_number.h"
#include "sim/schema/speculative_retry.h"

namespace windrow {

namespace {

// TableParams.Option and id, Cassandra 5.0.9.
constexpr std::array option_names = std::to_array<std::string_view>({"additional_write_policy",
                                                                     "allow_auto_snapshot",
                                                                     "auto_repair",
                                                                     "bloom_filter_fp_chance",
                                                                     "caching",
                                                                     "cdc",
                                                                     "comment",
                                                                     "compaction",
                                                                     "compression",
                                                                     "crc_check_chance",
                                                                     "default_time_to_live",
                                                                     "extensions",
                                                                     "gc_grace_seconds",
                                                                     "id",
                                                                     "incremental_backups",
                                                                     "max_index_interval",
                                                                     "memtable",
                                                                     "memtable_flush_period_in_ms",
                                                                     "min_index_interval",
                                                                     "read_repair",
                                                                     "speculative_retry"});

constexpr std::int32_t longest_ttl_s = 630'720'000;          // Attributes.MAX_TTL: 20 years
constexpr double smallest_bloom_filter_fp_chance = 6.71e-5;  // BloomCalculations

std::vector<std::string_view> names_of(const std::vector<CompactionSubOption>& options) {
  std::vector<std::string_view> names;
  for (const CompactionSubOption& option : options) names.push_back(option.name);
  return names;
}

[[noreturn]] void refuse_compaction(const Property& property, const OptionMap& map, const OptionError& error) {
  const auto name = map.find("class");
  const std::vector<CompactionSubOption> known =
      compaction_sub_options(name == map.end() ? std::string_view() : name->second);
  refuse_sub_option(property, error, names_of(known));
}

// CachingParams.fromMap
OptionMap caching_value(const Property& property) {
  const OptionMap map = map_value(property);
  OptionMap effective = {{"keys", "NONE"}, {"rows_per_partition", "NONE"}};
  constexpr std::array known = std::to_array<std::string_view>({"keys", "rows_per_partition"});
  const auto refuse_value = [&](std::string_view key, const std::string& value, std::string_view accepted,
                                std::string_view list, bool server_error) {
    refuse_sub_option(property,
                      OptionError(std::string(key),
                                  fmt::format("Invalid value '{}' for caching sub-option '{}': only {} are allowed",
                                              value, key, list),
                                  std::string(accepted), server_error),
                      known);
  };
  const auto keys = map.find("keys");
  if (keys != map.end()) {
    if (!equals_ignore_case(keys->second, "ALL") && !equals_ignore_case(keys->second, "NONE"))
      refuse_value("keys", keys->second, "'ALL' or 'NONE'", "'ALL' and 'NONE'", false);
    effective["keys"] = upper_case(keys->second);
  }
  const auto rows = map.find("rows_per_partition");
  if (rows != map.end()) {
    const std::string& text = rows->second;
    const bool word = equals_ignore_case(text, "ALL") || equals_ignore_case(text, "NONE");
    const bool digits = !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
    const std::optional<std::int32_t> count = parse_java_int(text);
    if (!word && (!digits || !count))
      refuse_value("rows_per_partition", text, "'ALL', 'NONE' or a whole number", "'ALL', 'NONE', and integer values",
                   digits);
    effective["rows_per_partition"] = word                   ? upper_case(text)
                                      : *count == 0          ? "NONE"
                                      : *count == 2147483647 ? "ALL"
                                                             : std::to_string(*count);
  }
  for (const auto& [key, value] : map)
    if (std::ranges::find(known, key) == known.end())
      refuse_sub_option(
          property,
          OptionError(
              key,
              fmt::format("Invalid caching sub-options [{}]: only 'keys' and 'rows_per_partition' are allowed", key),
              "'keys' and 'rows_per_partition'"),
          known);
  return effective;
}

std::string retry_value(const Property& property) {
  try {
    return effective_speculative_retry(text_value(property));
  } catch (const OptionError& error) {
    refuse_option(property, CqlErrorClass::configuration, error.what(), error.accepted, {});
  }
}

std::string read_repair_value(const Property& property) {
  const std::string text = upper_case(text_value(property));
  if (text == "NONE" || text == "BLOCKING") return text;
  refuse_option(property, CqlErrorClass::server,
                fmt::format("{} is no kind of read repair", quoted_string(text_value(property))),
                "'BLOCKING' or 'NONE'",
                fmt::format("java.lang.IllegalArgumentException: No enum constant "
                            "org.apache.cassandra.service.reads.repair.ReadRepairStrategy.{}",
                            text));
}

std::optional<std::string> memtable_value(const Property& property, const CqlSettings& settings) {
  const std::string& text = text_value(property);
  const auto& known = settings.memtables;
  if (!known.empty() && std::ranges::find(known, text) == known.end())
    refuse_option(property, CqlErrorClass::configuration,
                  fmt::format("this node has no memtable configuration {}", quoted_string(text)),
                  fmt::format("{}", fmt::join(known, ", ")),
                  fmt::format("Memtable configuration \"{}\" not found.", text));
  if (text == "default") return std::nullopt;
  return text;
}

OptionMap compaction_value(const Property& property) {
  const OptionMap map = map_value(property);
  try {
    return effective_compaction_map(map);
  } catch (const OptionError& error) {
    refuse_compaction(property, map, error);
  }
}

OptionMap compression_value(const Property& property) {
  try {
    return effective_compression_map(map_value(property));
  } catch (const OptionError& error) {
    refuse_sub_option(property, error, compression_sub_options());
  }
}

std::string range_text(std::int64_t lowest, std::int64_t highest) {
  return highest == 2147483647 ? fmt::format("a whole number, {} or more", lowest)
                               : fmt::format("a whole number from {} to {}", lowest, highest);
}

void check_range(const Properties& properties, std::string_view name, std::int32_t value, std::int32_t lowest,
                 std::int32_t highest = 2147483647) {
  const Property* property = find_property(properties, name);
  if (property == nullptr || (value >= lowest && value <= highest)) return;
  const bool low = value < lowest;
  refuse_option(*property, CqlErrorClass::configuration, fmt::format("{} is out of range", name),
                range_text(lowest, highest),
                fmt::format("{} must be {} than or equal to {} (got {})", name, low ? "greater" : "less",
                            low ? lowest : highest, value));
}

void check_chances(const Properties& properties, const TableOptions& options) {
  const double bloom = options.bloom_filter_fp_chance;
  if (const Property* property = find_property(properties, "bloom_filter_fp_chance");
      property != nullptr && (bloom <= smallest_bloom_filter_fp_chance || bloom > 1))
    refuse_option(
        *property, CqlErrorClass::configuration, "bloom_filter_fp_chance is out of range",
        "a number above 0.0000671, at most 1.0",
        fmt::format("bloom_filter_fp_chance must be larger than 6.71E-5 and less than or equal to 1.0 (got {})",
                    java_double_text(bloom)));
  const double crc = options.crc_check_chance;
  if (const Property* property = find_property(properties, "crc_check_chance");
      property != nullptr && (crc < 0 || crc > 1))
    refuse_option(
        *property, CqlErrorClass::configuration, "crc_check_chance is out of range", "a number from 0 to 1",
        fmt::format("crc_check_chance must be larger than or equal to 0 and smaller than or equal to 1.0 (got {})",
                    java_double_text(crc)));
}

// TableParams.validate
void check_values(const Properties& properties, const TableOptions& options, const CqlSettings& settings) {
  if (const Property* property = find_property(properties, "compaction")) {
    try {
      parse_compaction_options(options.compaction, settings.allow_unsafe_aggressive_sstable_expiration);
    } catch (const OptionError& error) {
      refuse_compaction(*property, options.compaction, error);
    }
  }
  check_chances(properties, options);
  check_range(properties, "default_time_to_live", options.default_time_to_live, 0, longest_ttl_s);
  check_range(properties, "gc_grace_seconds", options.gc_grace_seconds, 0);
  check_range(properties, "min_index_interval", options.min_index_interval, 1);
  if (options.max_index_interval < options.min_index_interval) {
    const Property* property = find_property(properties, "max_index_interval");
    if (property == nullptr) property = find_property(properties, "min_index_interval");
    refuse_option(*property, CqlErrorClass::configuration, "max_index_interval is below min_index_interval",
                  fmt::format("max_index_interval from {} on", options.min_index_interval),
                  fmt::format("max_index_interval must be greater than or equal to min_index_interval ({}) (got {})",
                              options.min_index_interval, options.max_index_interval));
  }
  check_range(properties, "memtable_flush_period_in_ms", options.memtable_flush_period_in_ms, 0);
}

/// Options of other versions and of databases that read CQL, too.
std::string where_an_option_belongs(std::string_view name) {
  struct Belongs {
    std::string_view option{};
    std::string_view fix{};
  };
  static constexpr std::string_view scylla = "remove it: it is an option of ScyllaDB";
  static constexpr std::string_view old = "remove it: it went with Cassandra 4.0";
  static constexpr std::string_view thrift = "remove it: it is of the time of Thrift";
  static constexpr std::array options{Belongs{"dclocal_read_repair_chance", old},
                                      Belongs{"read_repair_chance", old},
                                      Belongs{"nodesync", "remove it: it is an option of DataStax Enterprise"},
                                      Belongs{"tombstone_gc", scylla},
                                      Belongs{"in_memory", scylla},
                                      Belongs{"paxos_grace_seconds", scylla},
                                      Belongs{"per_partition_rate_limit", scylla},
                                      Belongs{"scylla_encryption_options", scylla},
                                      Belongs{"tablets", scylla},
                                      Belongs{"replicate_on_write", thrift},
                                      Belongs{"populate_io_cache_on_flush", thrift},
                                      Belongs{"index_interval", "write min_index_interval"},
                                      Belongs{"comparator", thrift},
                                      Belongs{"default_validation", thrift},
                                      Belongs{"compaction_strategy_class", "write compaction = {'class': '…'}"},
                                      Belongs{"compression_parameters", "write compression = {'class': '…'}"}};
  const auto* found = std::ranges::find(options, name, &Belongs::option);
  return found == options.end() ? std::string() : std::string(found->fix);
}

void check_table_options(const Properties& properties) {
  for (const Property& property : properties) {
    const std::string& name = property.name.text;
    if (std::ranges::find(option_names, name) != option_names.end()) continue;
    CqlComplaint complaint{.error_class = CqlErrorClass::syntax,
                           .at = property.name.at,
                           .message = fmt::format("a table has no option {}", name),
                           .accepted = fmt::format("{}", fmt::join(option_names, ", ")),
                           .nearest = std::string(nearest_name(name, option_names)),
                           .server_message = fmt::format("Unknown property '{}'", name),
                           .unknown_option = true};
    complaint.fix = where_an_option_belongs(name);
    refuse(std::move(complaint));
  }
  if (const Property* property = find_property(properties, "auto_repair"))
    refuse_option(
        *property, CqlErrorClass::configuration, "auto_repair is off on a node with shipped settings", {},
        "auto_repair option is not supported unless auto-repair is enabled with -Dcassandra.autorepair.enable=true");
}

}  // namespace

TableOptions build_options(const Properties& properties, TableOptions options, bool is_new,
                           const CqlSettings& settings) {
  const auto with = [&](std::string_view name, auto read) {
    if (const Property* property = find_property(properties, name)) read(*property);
  };
  using P = const Property&;
  with("allow_auto_snapshot", [&](P p) { options.allow_auto_snapshot = boolean_value(p); });
  with("bloom_filter_fp_chance", [&](P p) { options.bloom_filter_fp_chance = number_value(p); });
  with("caching", [&](P p) { options.caching = caching_value(p); });
  with("comment", [&](P p) { options.comment = text_value(p); });
  with("compaction", [&](P p) { options.compaction = compaction_value(p); });
  with("compression", [&](P p) { options.compression = compression_value(p); });
  with("memtable", [&](P p) { options.memtable = memtable_value(p, settings); });
  with("default_time_to_live", [&](P p) { options.default_time_to_live = integer_value(p); });
  with("gc_grace_seconds", [&](P p) { options.gc_grace_seconds = integer_value(p); });
  with("incremental_backups", [&](P p) { options.incremental_backups = boolean_value(p); });
  with("max_index_interval", [&](P p) { options.max_index_interval = integer_value(p); });
  with("memtable_flush_period_in_ms", [&](P p) { options.memtable_flush_period_in_ms = integer_value(p); });
  with("min_index_interval", [&](P p) { options.min_index_interval = integer_value(p); });
  with("speculative_retry", [&](P p) { options.speculative_retry = retry_value(p); });
  with("additional_write_policy", [&](P p) { options.additional_write_policy = retry_value(p); });
  with("crc_check_chance", [&](P p) { options.crc_check_chance = number_value(p); });
  with("cdc", [&](P p) { options.cdc = boolean_value(p); });
  with("read_repair", [&](P p) { options.read_repair = read_repair_value(p); });
  if (is_new && find_property(properties, "bloom_filter_fp_chance") == nullptr)
    options.bloom_filter_fp_chance = default_bloom_filter_fp_chance(options.compaction.at("class"));
  return options;
}

void check_properties(const Properties& properties, const CqlSettings& settings) {
  check_table_options(properties);
  check_values(properties, build_options(properties, TableOptions(), true, settings), settings);
}

void parse_checked_compaction(TableOptions& options, const CqlSettings& settings) {
  options.compaction_options =
      parse_compaction_options(options.compaction, settings.allow_unsafe_aggressive_sstable_expiration);
}

}  // namespace windrow
