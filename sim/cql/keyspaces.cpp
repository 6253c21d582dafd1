#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "sim/base/nearest.h"
#include "sim/cql/apply.h"
#include "sim/cql/table_properties.h"
#include "sim/schema/identifier.h"
#include "sim/schema/java_number.h"

namespace windrow {

namespace {

constexpr std::string_view locator = "org.apache.cassandra.locator.";
constexpr std::string_view replication_factor = "replication_factor";
constexpr std::size_t longest_keyspace_name = 48;

// SchemaConstants: keyspaces that a node keeps to itself, and those that it replicates.
constexpr std::array local_keyspaces = std::to_array<std::string_view>(
    {"system", "system_schema", "system_views", "system_virtual_schema", "system_metrics"});
constexpr std::array replicated_keyspaces =
    std::to_array<std::string_view>({"system_auth", "system_distributed", "system_traces"});

bool is_one_of(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, std::string_view(lower_case(name))) != names.end();
}

[[noreturn]] void refuse_replication(Span at, std::string message, std::string accepted = {},
                                     std::string nearest = {}) {
  refuse({.error_class = CqlErrorClass::configuration,
          .at = at,
          .message = std::move(message),
          .accepted = std::move(accepted),
          .nearest = std::move(nearest)});
}

void check_keyspace_options(const Properties& properties) {
  constexpr std::array known = std::to_array<std::string_view>({"replication", "durable_writes"});
  constexpr std::array of_scylla = std::to_array<std::string_view>({"tablets", "storage", "consistency"});
  for (const Property& property : properties)
    if (std::ranges::find(known, property.name.text) == known.end())
      refuse({.error_class = CqlErrorClass::syntax,
              .at = property.name.at,
              .message = fmt::format("a keyspace has no option {}", property.name.text),
              .accepted = "replication and durable_writes",
              .nearest = std::string(nearest_name(property.name.text, known)),
              .fix = std::ranges::find(of_scylla, property.name.text) == of_scylla.end()
                         ? std::string()
                         : "remove it: it is an option of ScyllaDB",
              .server_message = fmt::format("Unknown property '{}'", property.name.text)});
}

Span entry_place(const Property& property, std::string_view key) {
  for (const MapEntry& entry : std::get<std::vector<MapEntry>>(property.value))
    if (entry.key == key) return entry.value_at;
  return property.value_at;
}

std::string strategy_class(const Property& property, const OptionMap& map) {
  constexpr std::array known = std::to_array<std::string_view>({"NetworkTopologyStrategy", "SimpleStrategy"});
  const std::string& name = map.at("class");
  const Span at = entry_place(property, "class");
  const std::string full = name.find('.') == name.npos ? fmt::format("{}{}", locator, name) : name;
  for (const std::string_view strategy : known)
    if (full == fmt::format("{}{}", locator, strategy)) return full;
  if (full == fmt::format("{}LocalStrategy", locator))
    refuse_invalid(at, "LocalStrategy is the server's own",
                   "Unable to use given strategy class: LocalStrategy is reserved for internal use.");
  if (full == fmt::format("{}OldNetworkTopologyStrategy", locator))
    refuse_replication(at, "OldNetworkTopologyStrategy went with Cassandra 4.0", "NetworkTopologyStrategy");
  refuse_replication(at, fmt::format("Unable to find replication strategy class '{}'", full),
                     "NetworkTopologyStrategy or SimpleStrategy", std::string(nearest_name(name, known)));
}

// ReplicationFactor.fromString; transient replication is off on a shipped node.
void check_factor(const Property& property, std::string_view key, const std::string& text) {
  const std::optional<std::int32_t> factor = parse_java_int(text);
  if (factor && *factor >= 0) return;
  refuse_replication(entry_place(property, key),
                     factor ? fmt::format("Replication factor must be non-negative, found {}", *factor)
                            : fmt::format("{} is no replication factor", quoted_string(text)),
                     "a whole number, 0 or more");
}

void expand_datacenters(OptionMap& options, const OptionMap& previous, const CqlSettings& settings) {
  const auto before = previous.find(replication_factor);
  std::optional<std::string> factor;
  if (const auto given = options.find(replication_factor); given != options.end()) {
    factor = given->second;
    options.erase(given);
    for (const auto& [key, value] : previous)
      if (key != replication_factor && key != "class") options.try_emplace(key, value);
  } else if (options.empty()) {
    factor = before != previous.end() ? before->second : std::to_string(settings.default_keyspace_rf);
  }
  if (factor && settings.datacenters.empty()) options.try_emplace(std::string(replication_factor), *factor);
  if (factor)
    for (const std::string& datacenter : settings.datacenters) options.try_emplace(datacenter, *factor);
  std::erase_if(options, [](const auto& entry) { return entry.second == "0"; });
}

// ReplicationParams.fromMapWithDefaults and validate.
OptionMap replication_map(const Property& property, const OptionMap& previous, std::string_view keyspace,
                          const CqlSettings& settings) {
  const OptionMap map = map_value(property);
  const std::string full_name = strategy_class(property, map);
  const bool simple = full_name.ends_with(".SimpleStrategy");
  OptionMap options = map;
  options.erase("class");
  for (const auto& [key, value] : options) check_factor(property, key, value);
  if (simple) {
    const auto before = previous.find(replication_factor);
    options.try_emplace(std::string(replication_factor),
                        before != previous.end() ? before->second : std::to_string(settings.default_keyspace_rf));
  } else {
    expand_datacenters(options, previous, settings);
    if (options.empty())
      refuse_replication(property.value_at, "Configuration for at least one datacenter must be present",
                         "'datacenter1': 3");
  }
  for (const auto& [key, value] : options) {
    const bool known = simple ? key == replication_factor
                              : settings.datacenters.empty() ||
                                    std::ranges::find(settings.datacenters, key) != settings.datacenters.end();
    if (!known)
      refuse_replication(
          entry_place(property, key),
          fmt::format("Unrecognized strategy option {{{}}} passed to {} for keyspace {}", key,
                      full_name.substr(locator.size()), keyspace),
          simple ? std::string(replication_factor) : fmt::format("{}", fmt::join(settings.datacenters, ", ")),
          simple ? std::string() : std::string(nearest_name(key, settings.datacenters)));
  }
  options["class"] = full_name;
  return options;
}

void check_replication_class(const Properties& properties) {
  const Property* property = find_property(properties, "replication");
  if (property == nullptr) return;
  const OptionMap map = map_value(*property);
  if (!map.empty() && !map.contains("class"))
    refuse_replication(property->value_at, "Missing replication strategy class", "'class': 'NetworkTopologyStrategy'");
}

void check_keyspace_name(const Name& name) {
  if (!is_plain_name(name.text))
    refuse_invalid(
        name.at, "the name of a keyspace has letters, digits and underscores only",
        fmt::format(
            "Keyspace name must not be empty and must contain alphanumeric or underscore characters only (got \"{}\")",
            name.text));
  if (name.text.size() > longest_keyspace_name)
    refuse_invalid(name.at, fmt::format("the name of a keyspace has at most {} characters", longest_keyspace_name),
                   fmt::format("Keyspace name must not be more than {} characters long (got {} characters for \"{}\")",
                               longest_keyspace_name, name.text.size(), name.text));
  if (is_one_of(local_keyspaces, name.text))
    refuse_invalid(name.at, fmt::format("{} belongs to the server", name.text),
                   fmt::format("System keyspace '{}' is not user-modifiable", name.text));
}

void refuse_missing(const Name& name) {
  refuse_invalid(name.at, fmt::format("there is no keyspace {}", name.text),
                 fmt::format("Keyspace '{}' doesn't exist", name.text));
}

}  // namespace

void refuse_invalid(Span at, std::string message, std::string server_message, std::string fix) {
  refuse({.error_class = CqlErrorClass::invalid,
          .at = at,
          .message = std::move(message),
          .fix = std::move(fix),
          .server_message = std::move(server_message)});
}

bool is_plain_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::string nearest_column(std::string_view written, const std::vector<Column>& columns) {
  std::vector<std::string_view> names;
  for (const Column& column : columns) names.push_back(column.name);
  return std::string(nearest_name(written, names));
}

std::string keyspace_name(const ApplyContext& context, const QualifiedName& name) {
  const bool lenient = context.settings.create_missing_keyspaces;
  std::string keyspace = name.keyspace ? name.keyspace->text : context.schema.current_keyspace;
  if (keyspace.empty() && lenient) keyspace = context.settings.implicit_keyspace;
  if (keyspace.empty())
    refuse_invalid(name.at(), "no keyspace is chosen",
                   "No keyspace has been specified. USE a keyspace, or explicitly specify keyspace.tablename",
                   fmt::format("put USE keyspace; before, or write keyspace.{}", quoted_if_needed(name.name.text)));
  if (!lenient && (is_one_of(local_keyspaces, keyspace) || is_one_of(replicated_keyspaces, keyspace)))
    refuse({.error_class = CqlErrorClass::unauthorized,
            .at = name.at(),
            .message = fmt::format("{} belongs to the server", keyspace),
            .server_message = fmt::format("{} keyspace is not user-modifiable.", keyspace)});
  return keyspace;
}

Keyspace* find_or_make_keyspace(const ApplyContext& context, const std::string& name) {
  Keyspace* keyspace = context.schema.find_keyspace(name);
  if (keyspace != nullptr || !context.settings.create_missing_keyspaces) return keyspace;
  context.schema.keyspaces.push_back({.name = name});
  return &context.schema.keyspaces.back();
}

Keyspace& expect_keyspace(const ApplyContext& context, const std::string& name, Span at) {
  Keyspace* keyspace = find_or_make_keyspace(context, name);
  if (keyspace == nullptr) refuse_missing({name, at});
  return *keyspace;
}

void apply(const ApplyContext& context, const UseStatement& statement) {
  if (find_or_make_keyspace(context, statement.keyspace.text) == nullptr)
    refuse_invalid(statement.keyspace.at, fmt::format("there is no keyspace {}", statement.keyspace.text),
                   fmt::format("Keyspace '{}' does not exist", statement.keyspace.text));
  context.schema.current_keyspace = statement.keyspace.text;
}

void apply(const ApplyContext& context, const CreateKeyspace& statement) {
  check_keyspace_name(statement.name);
  check_keyspace_options(statement.properties);
  check_replication_class(statement.properties);
  const Property* property = find_property(statement.properties, "replication");
  if (property == nullptr)
    refuse_invalid(statement.name.at, "a keyspace needs its replication", "Missing mandatory option 'replication'",
                   "add replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': 3}");
  if (context.schema.find_keyspace(statement.name.text) != nullptr) {
    if (statement.if_not_exists) return;
    refuse({.error_class = CqlErrorClass::already_exists,
            .at = statement.name.at,
            .message = fmt::format("keyspace {} exists already", statement.name.text),
            .fix = "write CREATE KEYSPACE IF NOT EXISTS, or take another name",
            .server_message = fmt::format("Cannot add existing keyspace \"{}\"", statement.name.text)});
  }
  Keyspace keyspace{.name = statement.name.text};
  if (const Property* durable = find_property(statement.properties, "durable_writes"))
    keyspace.durable_writes = boolean_value(*durable);
  if (map_value(*property).empty())
    refuse({.error_class = CqlErrorClass::server,
            .at = property->value_at,
            .message = "the replication is empty",
            .accepted = "{'class': 'NetworkTopologyStrategy', 'datacenter1': 3}",
            .server_message = "java.lang.NullPointerException"});
  keyspace.replication = replication_map(*property, {}, statement.name.text, context.settings);
  context.schema.keyspaces.push_back(std::move(keyspace));
}

void apply(const ApplyContext& context, const AlterKeyspace& statement) {
  check_keyspace_name(statement.name);
  check_keyspace_options(statement.properties);
  check_replication_class(statement.properties);
  Keyspace* keyspace = context.schema.find_keyspace(statement.name.text);
  if (keyspace == nullptr) {
    if (!statement.if_exists) refuse_missing(statement.name);
    return;
  }
  bool durable_writes = keyspace->durable_writes;
  if (const Property* durable = find_property(statement.properties, "durable_writes"))
    durable_writes = boolean_value(*durable);
  if (const Property* property = find_property(statement.properties, "replication");
      property != nullptr && !map_value(*property).empty())
    keyspace->replication = replication_map(*property, keyspace->replication, keyspace->name, context.settings);
  keyspace->durable_writes = durable_writes;
}

}  // namespace windrow
