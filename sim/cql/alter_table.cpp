#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "sim/cql/apply.h"
#include "sim/cql/resolve_type.h"
#include "sim/cql/table_properties.h"
#include "sim/schema/identifier.h"

namespace windrow {

namespace {

// The columns of a table by name: where many are asked for, found once.
class ColumnsByName {
 public:
  ColumnsByName(const Table& table, std::size_t asked) : table_(table) {
    constexpr std::size_t few = 8;
    if (asked <= few) return;
    for (const Column& column : table.columns) columns_.emplace(column.name, &column);
  }
  const Column* find(std::string_view name) const {
    if (columns_.empty()) return table_.find_column(name);
    const auto found = columns_.find(name);
    return found == columns_.end() ? nullptr : found->second;
  }

 private:
  const Table& table_;
  std::map<std::string_view, const Column*> columns_{};
};

// One ALTER TABLE. The table is changed only where nothing is left to refuse; thousands of them copy no table.
class TableChange {
 public:
  TableChange(const ApplyContext& context, Keyspace& keyspace, Table& table)
      : context_(context), keyspace_(keyspace), table_(table) {}

  void apply(const AddColumns& add) {
    const ColumnsByName before(table_, add.columns.size());
    std::set<std::string_view> names;
    std::vector<Column> added;
    for (const ColumnDefinition& definition : add.columns) {
      const bool known = before.find(definition.name.text) != nullptr || !names.insert(definition.name.text).second;
      if (auto column = new_column(definition, known, add.if_not_exists)) added.push_back(std::move(*column));
    }
    if (!table_.is_counter())
      for (const ColumnDefinition& definition : add.columns)
        if (definition.type.kind == CqlType::Kind::counter) refuse_counter(definition.name, true);
    for (MaterializedView& view : keyspace_.views) {
      if (view.base_table != table_.name || !view.selects_all) continue;
      std::ranges::copy_if(added, std::back_inserter(view.columns),
                           [](const Column& column) { return column.kind != Column::Kind::static_; });
    }
    table_.add_columns(std::move(added));
  }

  void apply(const DropColumns& drop) {
    const ColumnsByName columns(table_, drop.columns.size());
    std::vector<DroppedColumn> dropped;
    std::set<std::string_view> names;
    for (const Name& name : drop.columns) {
      const Column* column = columns.find(name.text);
      if (column == nullptr) {
        if (drop.if_exists) continue;
        refuse_missing(name, fmt::format("Column {} was not found in table '{}'", name.text, full_name()));
      }
      if (names.contains(name.text)) continue;
      check_drop(name, *column);
      names.insert(name.text);
      dropped.push_back({name.text, without_user_types(column->type), column->kind});
    }
    std::erase_if(table_.columns, [&](const Column& column) { return names.contains(column.name); });
    std::erase_if(table_.dropped_columns, [&](const DroppedColumn& column) { return names.contains(column.name); });
    std::ranges::move(dropped, std::back_inserter(table_.dropped_columns));
  }

  void apply(const RenameColumns& rename) {
    Table renamed = table_;
    std::vector<MaterializedView> views;
    for (const auto& [from, to] : rename.columns) rename_column(renamed, views, from, to);
    renamed.sort_columns();
    table_ = std::move(renamed);
    for (const MaterializedView& view : views)
      *std::ranges::find(keyspace_.views, view.name, &MaterializedView::name) = view;
  }

  void apply(const AlterOptions& alter) {
    check_properties(alter.properties, context_.settings);
    if (const Property* id = find_property(alter.properties, "id"))
      refuse({.error_class = CqlErrorClass::configuration,
              .at = id->name.at,
              .message = "the id of a table cannot be changed",
              .server_message = "Cannot alter table id."});
    TableOptions options = build_options(alter.properties, table_.options, false, context_.settings);
    parse_checked_compaction(options, context_.settings);
    if (table_.is_counter() && options.default_time_to_live > 0)
      refuse_invalid(find_property(alter.properties, "default_time_to_live")->value_at, "counters cannot expire",
                     "Cannot set default_time_to_live on a table with counters");
    const Property* gc_grace = find_property(alter.properties, "gc_grace_seconds");
    if (gc_grace != nullptr && options.gc_grace_seconds == 0 && has_views())
      refuse_invalid(gc_grace->value_at, "the base table of a materialized view needs a gc_grace_seconds above 0",
                     "Cannot alter gc_grace_seconds of the base table of a materialized view to 0, since this value is "
                     "used to TTL "
                     "undelivered updates. Setting gc_grace_seconds too low might cause undelivered updates to expire "
                     "before being "
                     "replayed.");
    table_.options = std::move(options);
  }

  [[noreturn]] void apply(const AlterColumnType& alter) {
    refuse_invalid(alter.column.at, "the type of a column cannot be changed",
                   "Altering column types is no longer supported", "add a column of the new type under another name");
  }

  void apply(const MaskColumn& mask) {
    if (mask.mask && !context_.settings.dynamic_data_masking_enabled)
      refuse_invalid(*mask.mask, "dynamic data masking is off on a node with shipped settings",
                     "Cannot mask columns because dynamic data masking is not enabled. You can enable it with the "
                     "dynamic_data_masking_enabled property on cassandra.yaml");
    if (table_.find_column(mask.column.text) == nullptr && !mask.if_exists)
      refuse_missing(mask.column,
                     fmt::format("Column with name '{}' doesn't exist on table '{}'", mask.column.text, table_.name));
  }

  void apply(const DropCompactStorage&) {
    if (!context_.settings.drop_compact_storage_enabled)
      refuse_invalid({}, "DROP COMPACT STORAGE is off on a node with shipped settings",
                     "DROP COMPACT STORAGE is disabled. Enable in cassandra.yaml to use.");
    if (!table_.compact_storage)
      refuse_invalid({}, "the table has no compact storage",
                     "Cannot DROP COMPACT STORAGE on table without COMPACT STORAGE");
    table_.compact_storage = false;
  }

 private:
  std::string full_name() const { return fmt::format("{}.{}", table_.keyspace, table_.name); }

  bool has_views() const {
    return std::ranges::find(keyspace_.views, table_.name, &MaterializedView::base_table) != keyspace_.views.end();
  }

  [[noreturn]] void refuse_missing(const Name& name, std::string server_message) const {
    refuse({.error_class = CqlErrorClass::invalid,
            .at = name.at,
            .message = fmt::format("table {} has no column {}", full_name(), name.text),
            .nearest = nearest_column(name.text, table_.columns),
            .server_message = std::move(server_message)});
  }

  [[noreturn]] void refuse_counter(const Name& name, bool is_counter) const {
    refuse({.error_class = CqlErrorClass::configuration,
            .at = name.at,
            .message = "a table has counters only, or none",
            .server_message = fmt::format("{}: Cannot have a {}counter column (\"{}\") in a {}counter table",
                                          full_name(), is_counter ? "" : "non ", name.text, is_counter ? "non " : "")});
  }

  /// Nothing, if the column is known and may be.
  std::optional<Column> new_column(const ColumnDefinition& definition, bool known, bool if_not_exists) const {
    const Name& name = definition.name;
    Column column{.name = name.text, .type = resolve_type(definition.type, keyspace_)};
    column.kind = definition.is_static ? Column::Kind::static_ : Column::Kind::regular;
    if (known) {
      if (if_not_exists) return std::nullopt;
      refuse_invalid(name.at, fmt::format("table {} has a column {} already", full_name(), name.text),
                     fmt::format("Column with name '{}' already exists", name.text),
                     "write ADD IF NOT EXISTS, or take another name");
    }
    if (table_.compact_storage)
      refuse_invalid(name.at, "a table with COMPACT STORAGE takes no further columns",
                     "Cannot add new column to a COMPACT STORAGE table");
    if (definition.is_static && table_.clustering().empty())
      refuse_invalid(
          name.at, fmt::format("{} is static, but the table has no clustering columns", name.text),
          "Static columns are only useful (and thus allowed) if the table has at least one clustering column",
          "remove STATIC");
    if (column.type.kind == CqlType::Kind::udt && column.type.is_multi_cell() &&
        std::ranges::any_of(column.type.arguments, &CqlType::is_multi_cell))
      refuse_invalid(
          definition.type.at, fmt::format("{} holds a collection that is not frozen", column.type.name),
          fmt::format("Non-frozen UDTs with nested non-frozen collections are not supported for column {}", name.text));
    check_dropped(name, column);
    if (table_.is_counter() && !column.type.is_counter()) refuse_counter(name, false);
    return column;
  }

  // A column that was dropped comes back only as it was: its old cells may still lie on disk.
  void check_dropped(const Name& name, const Column& column) const {
    const auto dropped = std::ranges::find(table_.dropped_columns, name.text, &DroppedColumn::name);
    if (dropped == table_.dropped_columns.end()) return;
    if (!is_serialization_compatible(column.type, dropped->type))
      refuse_invalid(
          name.at,
          fmt::format("{} was dropped as {}: cells of that type may still lie on disk", name.text,
                      dropped->type.to_string()),
          fmt::format(
              "Cannot add a column '{0}' of type {1}, incompatible with previously dropped column '{0}' of type {2}",
              name.text, column.type.to_string(), dropped->type.to_string()),
          "take another name");
    if (dropped->kind != column.kind)
      refuse_invalid(
          name.at, fmt::format("{} was dropped as a {} column", name.text, kind_name(dropped->kind)),
          fmt::format("Cannot re-add previously dropped column '{}' of kind {}, incompatible with previous kind {}",
                      name.text, upper_case(kind_name(column.kind)), upper_case(kind_name(dropped->kind))),
          "take another name");
    if (table_.is_counter())
      refuse_invalid(name.at, "a dropped counter cannot come back",
                     fmt::format("Cannot re-add previously dropped counter column {}", name.text), "take another name");
  }

  std::vector<std::string_view> dependent_indexes(std::string_view column) const {
    std::vector<std::string_view> names;
    for (const Index& index : table_.indexes) {
      const std::string quoted = quoted_if_needed(column);
      if (index.target == quoted || index.target.ends_with("(" + quoted + ")")) names.push_back(index.name);
    }
    return names;
  }

  void check_drop(const Name& name, const Column& column) const {
    if (column.position >= 0)
      refuse_invalid(name.at, fmt::format("{} is part of the primary key and cannot be dropped", name.text),
                     fmt::format("Cannot drop PRIMARY KEY column {}", name.text));
    if (column.type.kind == CqlType::Kind::udt && column.type.is_multi_cell())
      refuse_invalid(
          name.at, fmt::format("{} is of a user-defined type that is not frozen and cannot be dropped", name.text),
          fmt::format("Cannot drop non-frozen column {} of user type {}", name.text, column.type.to_string()));
    if (const auto indexes = dependent_indexes(name.text); !indexes.empty())
      refuse_invalid(name.at, fmt::format("{} has an index", name.text),
                     fmt::format("Cannot drop column {} because it has dependent secondary indexes ({})", name.text,
                                 fmt::join(indexes, ", ")),
                     fmt::format("DROP INDEX {} first", indexes.front()));
    if (has_views())
      refuse_invalid(
          name.at, "columns of a table with materialized views cannot be dropped",
          fmt::format("Cannot drop column {} on base table {} with materialized views", name.text, table_.name));
  }

  // Also with IF EXISTS a missing column is refused (TableMetadata.getExistingColumn).
  void rename_column(Table& table, std::vector<MaterializedView>& views, const Name& from, const Name& to) const {
    const auto column = std::ranges::find(table.columns, from.text, &Column::name);
    if (column == table.columns.end())
      refuse_missing(from,
                     fmt::format("Undefined column name {} in table {}", quoted_if_needed(from.text), full_name()));
    if (column->position < 0)
      refuse_invalid(from.at,
                     fmt::format("{} is not part of the primary key: other columns cannot be renamed", from.text),
                     fmt::format("Cannot rename non PRIMARY KEY column {}", from.text));
    if (table.find_column(to.text) != nullptr)
      refuse_invalid(
          to.at, fmt::format("table {} has a column {} already", full_name(), to.text),
          fmt::format("Cannot rename column {} to {} in table '{}'; another column with that name already exists",
                      from.text, to.text, full_name()));
    if (const auto indexes = dependent_indexes(from.text); !indexes.empty())
      refuse_invalid(from.at, fmt::format("{} has an index", from.text),
                     fmt::format("Can't rename column {} because it has dependent secondary indexes ({})", from.text,
                                 fmt::join(indexes, ", ")),
                     fmt::format("DROP INDEX {} first", indexes.front()));
    for (MaterializedView view : keyspace_.views) {
      if (view.base_table != table_.name) continue;
      for (Column& each : view.columns)
        if (each.name == from.text) each.name = to.text;
      views.push_back(std::move(view));
    }
    column->name = to.text;
  }

  const ApplyContext& context_;
  Keyspace& keyspace_;
  Table& table_;
};

}  // namespace

void apply(const ApplyContext& context, const AlterTable& statement) {
  const std::string keyspace_text = keyspace_name(context, statement.name);
  if (const AlterOptions* options = std::get_if<AlterOptions>(&statement.action))
    build_options(options->properties, TableOptions(), true, context.settings);
  Keyspace* keyspace = context.schema.find_keyspace(keyspace_text);
  const std::string& name = statement.name.name.text;
  Table* table = keyspace == nullptr ? nullptr : keyspace->find_table(name);
  if (keyspace != nullptr && keyspace->find_view(name) != nullptr)
    refuse_invalid(statement.name.at(), fmt::format("{} is a materialized view", name),
                   "Cannot use ALTER TABLE on a materialized view; use ALTER MATERIALIZED VIEW instead",
                   "write ALTER MATERIALIZED VIEW");
  if (table == nullptr) {
    if (statement.if_exists) return;
    refuse_missing_table(context, keyspace_text, statement.name,
                         fmt::format("Table '{}.{}' doesn't exist", keyspace_text, name));
  }
  TableChange change(context, *keyspace, *table);
  try {
    std::visit([&](const auto& action) { change.apply(action); }, statement.action);
  } catch (Refused& refused) {
    if (refused.complaint.at.length == 0 && refused.complaint.at.offset == 0)
      refused.complaint.at = statement.name.at();
    throw;
  }
}

}  // namespace windrow
