#include "evidence/captures/capture_ddl.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/cql/script.h"
#include "sim/schema/describe.h"

namespace windrow {

namespace {

using Json = nlohmann::json;

class DdlCheck {
 public:
  explicit DdlCheck(std::string_view name) : name_(name) {}

  Disagreements run(std::string_view cql_text, const Json& recorded) {
    Schema schema;
    run_cql("CREATE KEYSPACE ddl WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}; USE ddl;",
            schema, shipped_settings());
    const std::string prelude = recorded.value("prelude", "");
    const ScriptResult before = run_cql(prelude, schema, shipped_settings());
    ScriptResult result = before.error ? before : run_cql(cql_text, schema, shipped_settings());
    if (!before.error) {
      result.applied += before.applied;
      result.statements += before.statements;
    }
    compare("verdict", recorded.value("verdict", ""), result.error ? "rejected" : "accepted");
    compare("statements", recorded.value("statements", 0), result.statements);
    if (recorded.value("verdict", "") == "rejected") {
      compare_error(recorded, result);
    } else if (!result.error) {
      const Keyspace* keyspace = schema.find_keyspace("ddl");
      compare_schema(recorded, keyspace != nullptr ? *keyspace : Keyspace());
    } else {
      found_.push_back({std::string(name_), "message", "", result.error->what()});
    }
    return std::move(found_);
  }

 private:
  void compare(std::string_view field, const Json& expected, const Json& ours) {
    if (expected != ours) found_.push_back({std::string(name_), std::string(field), expected.dump(), ours.dump()});
  }

  void compare_error(const Json& recorded, const ScriptResult& result) {
    if (!result.error) return;
    compare("statement", recorded.value("statement", -1), result.applied);
    compare("code", recorded.value("code", ""), std::string(error_code(result.error->error_class())));
    compare("error_class", recorded.value("error_class", ""),
            std::string(error_class_name(result.error->error_class())));
  }

  static Json column_row(const Column& column) {
    Json row = {{"name", column.name}, {"type", column.type.to_string()}};
    if (column.order != Column::Order::none) row["order"] = column.order == Column::Order::desc ? "desc" : "asc";
    return row;
  }

  static Json column_rows(std::span<const Column> columns, bool by_name) {
    std::vector<Column> sorted(columns.begin(), columns.end());
    if (by_name) std::ranges::sort(sorted, {}, &Column::name);
    Json rows = Json::array();
    for (const Column& column : sorted) rows.push_back(column_row(column));
    return rows;
  }

  static Json number(double value) { return std::isnan(value) ? Json("NaN") : Json(value); }

  // The row of system_schema.tables. A shipped node has CDC off and then stores no value for it.
  static Json option_row(const Table& table) {
    const TableOptions& options = table.options;
    Json flags = Json::array();
    const bool dense = table.compact_storage && table.regular_columns().size() == 1 && table.static_columns().empty();
    if (!table.compact_storage || table.clustering().size() > 1) flags.push_back("compound");
    if (table.is_counter()) flags.push_back("counter");
    if (dense) flags.push_back("dense");
    const auto unless_true = [](const std::optional<bool>& value) {
      return value.value_or(true) ? Json() : Json(false);
    };
    return {{"additional_write_policy", options.additional_write_policy},
            {"allow_auto_snapshot", unless_true(options.allow_auto_snapshot)},
            {"bloom_filter_fp_chance", number(options.bloom_filter_fp_chance)},
            {"caching", options.caching},
            {"cdc", nullptr},
            {"comment", options.comment},
            {"compaction", options.compaction},
            {"compression", options.compression},
            {"crc_check_chance", number(options.crc_check_chance)},
            {"dclocal_read_repair_chance", 0.0},
            {"default_time_to_live", options.default_time_to_live},
            {"extensions", Json(options.extensions)},
            {"flags", flags},
            {"gc_grace_seconds", options.gc_grace_seconds},
            {"incremental_backups", unless_true(options.incremental_backups)},
            {"max_index_interval", options.max_index_interval},
            {"memtable", options.memtable ? Json(*options.memtable) : Json()},
            {"memtable_flush_period_in_ms", options.memtable_flush_period_in_ms},
            {"min_index_interval", options.min_index_interval},
            {"read_repair", options.read_repair},
            {"read_repair_chance", 0.0},
            {"speculative_retry", options.speculative_retry}};
  }

  static Json index_rows(const Table& table) {
    Json rows = Json::array();
    for (const Index& index : table.indexes) {
      const bool custom = index.kind == Index::Kind::custom;
      Json options = index.options;
      options["target"] = index.target;
      if (custom) options["class_name"] = index.class_name;
      rows.push_back({{"index_name", index.name}, {"kind", custom ? "CUSTOM" : "COMPOSITES"}, {"options", options}});
    }
    return rows;
  }

  static Json dropped_rows(const Table& table) {
    Json rows = Json::array();
    std::vector<DroppedColumn> sorted = table.dropped_columns;
    std::ranges::sort(sorted, {}, &DroppedColumn::name);
    for (const DroppedColumn& column : sorted)
      rows.push_back({{"name", column.name}, {"type", column.type.to_string()}, {"kind", kind_name(column.kind)}});
    return rows;
  }

  void compare_table(const Json& recorded, const Table& table) {
    const std::string field = "tables." + table.name + ".";
    const Json& columns = recorded.at("columns");
    compare(field + "partition_key", columns.at("partition_key"), column_rows(table.partition_key(), false));
    compare(field + "clustering", columns.at("clustering"), column_rows(table.clustering(), false));
    compare(field + "static", columns.at("static"), column_rows(table.static_columns(), true));
    compare(field + "regular", columns.at("regular"), column_rows(table.regular_columns(), true));
    const Json ours = option_row(table);
    const Json& options = recorded.at("options");
    for (const auto& [option, value] : options.items())
      compare(field + option, value, ours.contains(option) ? ours.at(option) : Json("unknown to us"));
    for (const auto& [option, value] : ours.items())
      if (!options.contains(option)) compare(field + option, "not recorded", value);
    compare(field + "indexes", recorded.at("indexes"), index_rows(table));
    compare(field + "dropped_columns", recorded.at("dropped_columns"), dropped_rows(table));
    if (recorded.contains("describe")) compare(field + "describe", recorded.at("describe"), describe_table(table));
  }

  void compare_schema(const Json& recorded, const Keyspace& keyspace) {
    Json types = Json::array();
    for (const UserType& type : keyspace.types) {
      Json fields = Json::array();
      for (std::size_t i = 0; i < type.field_names.size(); ++i)
        fields.push_back({type.field_names[i], type.field_types[i].to_string()});
      types.push_back({{"name", type.name}, {"fields", fields}});
    }
    std::sort(types.begin(), types.end(), [](const Json& a, const Json& b) { return a.at("name") < b.at("name"); });
    compare("types", recorded.value("types", Json::array()), types);
    const Json& tables = recorded.at("tables");
    compare("tables", tables.size(), keyspace.tables.size());
    for (const Json& each : tables) {
      const Table* table = keyspace.find_table(each.at("table").get<std::string>());
      if (table == nullptr) {
        compare("tables", each.at("table"), "missing");
      } else {
        compare_table(each, *table);
      }
    }
  }

  std::string_view name_;
  Disagreements found_{};
};

}  // namespace

Disagreements verify_capture_ddl(std::string_view name, std::string_view cql_text, std::string_view json_text) {
  return DdlCheck(name).run(cql_text, Json::parse(json_text));
}

}  // namespace windrow
