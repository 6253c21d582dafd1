#include "sim/schema/describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "sim/base/check.h"
#include "sim/schema/identifier.h"
#include "sim/schema/java_number.h"

namespace windrow {

namespace {

std::string map_text(const OptionMap& map) {
  std::string text;
  for (const auto& [key, value] : map)
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", quoted_string(key), quoted_string(value));
  return "{" + text + "}";
}

std::string names_text(std::span<const Column> columns) {
  std::string text;
  for (const Column& column : columns) text += (text.empty() ? "" : ", ") + quoted_if_needed(column.name);
  return text;
}

std::string primary_key_text(const Table& table, bool with_clustering) {
  std::string key = names_text(table.partition_key());
  if (table.partition_key().size() > 1) key = "(" + key + ")";
  if (with_clustering && !table.clustering().empty()) key += ", " + names_text(table.clustering());
  return key;
}

// WITH COMPACT STORAGE and no clustering column of the user's: what he named is static, the engine added the rest.
bool is_static_compact(const Table& table) { return table.compact_storage && !table.static_columns().empty(); }

bool is_hidden(const Table& table, const Column& column) {
  if (column.type.kind == CqlType::Kind::empty) return table.compact_storage;
  return is_static_compact(table) && (column.kind == Column::Kind::clustering || column.kind == Column::Kind::regular);
}

std::string columns_text(const Table& table) {
  const bool single = table.partition_key().size() == 1 && table.clustering().empty();
  std::string text;
  for (const Column& column : table.columns) {
    if (is_hidden(table, column)) continue;
    text += fmt::format("    {} {}", quoted_if_needed(column.name), column.type.to_string());
    if (column.kind == Column::Kind::static_ && !is_static_compact(table)) text += " static";
    if (single && column.kind == Column::Kind::partition_key) text += " PRIMARY KEY";
    text += ",\n";
  }
  if (single) return text.erase(text.size() - 2) + "\n";
  return text + fmt::format("    PRIMARY KEY ({})\n", primary_key_text(table, !is_static_compact(table)));
}

std::string order_text(const Table& table) {
  if (table.clustering().empty()) return {};
  std::string text;
  for (const Column& column : table.clustering())
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", quoted_if_needed(column.name),
                        column.order == Column::Order::desc ? "DESC" : "ASC");
  return fmt::format("CLUSTERING ORDER BY ({})\n    AND ", text);
}

std::string options_text(const TableOptions& options) {
  const std::string separator = "\n    AND ";
  return fmt::format("additional_write_policy = {}", quoted_string(options.additional_write_policy)) + separator +
         fmt::format("allow_auto_snapshot = {}", options.allow_auto_snapshot.value_or(true)) + separator +
         fmt::format("bloom_filter_fp_chance = {}", java_double_text(options.bloom_filter_fp_chance)) + separator +
         fmt::format("caching = {}", map_text(options.caching)) + separator +
         fmt::format("cdc = {}", options.cdc.value_or(false)) + separator +
         fmt::format("comment = {}", quoted_string(options.comment)) + separator +
         fmt::format("compaction = {}", map_text(options.compaction)) + separator +
         fmt::format("compression = {}", map_text(options.compression)) + separator +
         fmt::format("memtable = {}", quoted_string(options.memtable.value_or("default"))) + separator +
         fmt::format("crc_check_chance = {}", java_double_text(options.crc_check_chance)) + separator +
         fmt::format("default_time_to_live = {}", options.default_time_to_live) + separator +
         fmt::format("extensions = {}", map_text(options.extensions)) + separator +
         fmt::format("gc_grace_seconds = {}", options.gc_grace_seconds) + separator +
         fmt::format("incremental_backups = {}", options.incremental_backups.value_or(true)) + separator +
         fmt::format("max_index_interval = {}", options.max_index_interval) + separator +
         fmt::format("memtable_flush_period_in_ms = {}", options.memtable_flush_period_in_ms) + separator +
         fmt::format("min_index_interval = {}", options.min_index_interval) + separator +
         fmt::format("read_repair = {}", quoted_string(options.read_repair)) + separator +
         fmt::format("speculative_retry = {}", quoted_string(options.speculative_retry));
}

std::string index_text(const Table& table, const Index& index) {
  const bool custom = index.kind == Index::Kind::custom;
  std::string text =
      fmt::format("CREATE {}INDEX {} ON {}.{} ({})", custom ? "CUSTOM " : "", quoted_if_needed(index.name),
                  quoted_if_needed(table.keyspace), quoted_if_needed(table.name), index.target);
  if (custom) text += " USING " + quoted_string(index.class_name);
  if (!index.options.empty()) text += " WITH OPTIONS = " + map_text(index.options);
  return text + ";";
}

std::string type_text(const std::string& keyspace, const UserType& type) {
  std::string fields;
  for (std::size_t i = 0; i < type.field_names.size(); ++i)
    fields += fmt::format("{}    {} {}", i == 0 ? "" : ",\n", quoted_if_needed(type.field_names[i]),
                          type.field_types[i].to_string());
  return fmt::format("CREATE TYPE {}.{} (\n{}\n);", quoted_if_needed(keyspace), quoted_if_needed(type.name), fields);
}

void collect_user_types(const CqlType& type, std::set<std::string_view>& names) {
  if (type.kind == CqlType::Kind::udt) names.insert(type.name);
  for (const CqlType& argument : type.arguments) collect_user_types(argument, names);
}

// A type behind those it holds; ALTER TYPE may have given it a field of a type that was made later.
std::vector<const UserType*> by_dependency(const std::vector<UserType>& types) {
  std::map<std::string_view, std::set<std::string_view>> needs;
  for (const UserType& type : types)
    for (const CqlType& field : type.field_types) collect_user_types(field, needs[type.name]);
  std::vector<const UserType*> sorted;
  std::set<std::string_view> written;
  while (sorted.size() < types.size()) {
    const std::size_t before = sorted.size();
    for (const UserType& type : types)
      if (!written.contains(type.name) && std::ranges::includes(written, needs[type.name])) {
        sorted.push_back(&type);
        written.insert(type.name);
      }
    SIM_CHECK(sorted.size() > before, "user types hold each other");
  }
  return sorted;
}

// {'class': 'SimpleStrategy', 'replication_factor': '1'}: the class first, by its short name.
std::string replication_text(const OptionMap& replication) {
  const auto name = replication.find("class");
  std::string text =
      "{'class': " + quoted_string(name == replication.end()
                                       ? std::string_view("NetworkTopologyStrategy")
                                       : std::string_view(name->second).substr(name->second.rfind('.') + 1));
  for (const auto& [key, value] : replication)
    if (key != "class") text += fmt::format(", {}: {}", quoted_string(key), quoted_string(value));
  return text + "}";
}

}  // namespace

std::string describe_table(const Table& table) {
  std::string text = fmt::format("CREATE TABLE {}.{} (\n{}) WITH ", quoted_if_needed(table.keyspace),
                                 quoted_if_needed(table.name), columns_text(table));
  if (table.compact_storage) text += "COMPACT STORAGE\n    AND ";
  text += order_text(table) + options_text(table.options) + ";";
  if (table.compact_storage)
    text = fmt::format(
        "/*\nWarning: Table {}.{} omitted because it has constructs not compatible with CQL (was created via legacy "
        "API).\nApproximate structure, for reference:\n(this should not be used to reproduce this schema)\n\n{}\n*/",
        quoted_if_needed(table.keyspace), quoted_if_needed(table.name), text);
  for (const Index& index : table.indexes) text += "\n\n" + index_text(table, index);
  return text;
}

std::string describe_keyspace(const Keyspace& keyspace) {
  std::string text =
      fmt::format("CREATE KEYSPACE {} WITH replication = {}  AND durable_writes = {};", quoted_if_needed(keyspace.name),
                  replication_text(keyspace.replication), keyspace.durable_writes);
  for (const UserType* type : by_dependency(keyspace.types)) text += "\n\n" + type_text(keyspace.name, *type);
  std::vector<const Table*> tables;
  for (const Table& table : keyspace.tables) tables.push_back(&table);
  std::ranges::sort(tables, {}, [](const Table* table) { return std::string_view(table->name); });
  for (const Table* table : tables) text += "\n\n" + describe_table(*table);
  return text;
}

}  // namespace windrow
