#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "sim/cql/apply.h"
#include "sim/cql/resolve_type.h"
#include "sim/cql/table_properties.h"
#include "sim/schema/identifier.h"

namespace windrow {

namespace {

constexpr std::size_t longest_table_name = 222;  // SchemaConstants.TABLE_NAME_LENGTH

class TableBuilder {
 public:
  TableBuilder(const CreateTable& statement, const Keyspace& keyspace) : statement_(statement), keyspace_(keyspace) {}

  Table build(TableOptions options) {
    table_ = {.keyspace = keyspace_.name, .name = statement_.name.name.text, .options = std::move(options)};
    table_.columns.reserve(statement_.columns.size());
    for (const ColumnDefinition& definition : statement_.columns) add_column(definition);
    check_keys();
    for (const Name& name : statement_.partition_key) place(name, Column::Kind::partition_key);
    for (const Name& name : statement_.clustering) place(name, Column::Kind::clustering);
    apply_order();
    if (statement_.compact_storage) {
      make_compact();
    } else {
      check_statics();
    }
    check_counters();
    table_.sort_columns();
    return std::move(table_);
  }

 private:
  Column* find(std::string_view name) {
    const auto found = places_.find(name);
    return found == places_.end() ? nullptr : &table_.columns[found->second];
  }

  void add_column(const ColumnDefinition& definition) {
    Column column{.name = definition.name.text, .type = resolve_type(definition.type, keyspace_)};
    column.kind = definition.is_static ? Column::Kind::static_ : Column::Kind::regular;
    check_nested_fields(column.type, definition.type.at);
    places_.emplace(definition.name.text, table_.columns.size());
    table_.columns.push_back(std::move(column));
  }

  static void check_nested_fields(const CqlType& type, Span at) {
    if (type.kind != CqlType::Kind::udt || !type.is_multi_cell()) return;
    if (std::ranges::any_of(type.arguments, &CqlType::is_multi_cell))
      refuse_invalid(at, fmt::format("{} holds a collection that is not frozen", type.name),
                     "Non-frozen UDTs with nested non-frozen collections are not supported",
                     fmt::format("write frozen<{}>", quoted_if_needed(type.name)));
  }

  void check_keys() {
    std::set<std::string_view> seen;
    for (const auto* names : {&statement_.partition_key, &statement_.clustering})
      for (const Name& name : *names) {
        const Column* column = find(name.text);
        if (column == nullptr) refuse_unknown(name);
        if (!seen.insert(name.text).second)
          refuse_invalid(
              name.at, fmt::format("{} stands twice in the primary key", name.text),
              fmt::format("Duplicate column '{}' in PRIMARY KEY clause for table '{}'", name.text, table_.name),
              "remove one of the two");
        check_key_type(*column, name);
      }
  }

  [[noreturn]] void refuse_unknown(const Name& name) const {
    refuse({.error_class = CqlErrorClass::invalid,
            .at = name.at,
            .message = fmt::format("the primary key names a column {} that is not declared", name.text),
            .nearest = nearest_column(name.text, table_.columns),
            .fix = fmt::format("declare it: {} text", quoted_if_needed(name.text)),
            .server_message =
                fmt::format("Unknown column '{}' referenced in PRIMARY KEY for table '{}'", name.text, table_.name)});
  }

  void check_key_type(const Column& column, const Name& name) const {
    const std::string server_end = fmt::format("for PRIMARY KEY column '{}'", name.text);
    if (column.type.is_multi_cell()) {
      const bool collection = column.type.is_collection();
      const std::string type =
          collection ? column.type.to_string() : fmt::format("\"{}.{}\"", keyspace_.name, column.type.name);
      refuse_invalid(
          name.at, fmt::format("a column of the primary key has to be frozen, {} is not", name.text),
          fmt::format("Invalid non-frozen {} type {} {}", collection ? "collection" : "user-defined", type, server_end),
          fmt::format("declare it as frozen<{}>", column.type.to_string()));
    }
    if (column.type.is_counter())
      refuse_invalid(name.at, fmt::format("a counter such as {} cannot be in the primary key", name.text),
                     fmt::format("counter type is not supported {}", server_end));
    if (references_duration(column.type))
      refuse_invalid(name.at,
                     fmt::format("{} holds a duration: it has no order and cannot be in the primary key", name.text),
                     fmt::format("duration type is not supported {}", server_end));
    if (column.kind == Column::Kind::static_)
      refuse_invalid(
          name.at,
          fmt::format("{} is static: one value for the whole partition cannot be in the primary key", name.text),
          fmt::format("Static column '{}' cannot be part of the PRIMARY KEY", name.text), "remove STATIC");
  }

  void place(const Name& name, Column::Kind kind) {
    Column& column = *find(name.text);
    column.kind = kind;
    column.position = kind == Column::Kind::partition_key ? next_partition_position_++ : next_clustering_position_++;
    if (kind == Column::Kind::clustering) column.order = Column::Order::asc;
  }

  // The orders given must be those of the first clustering columns, in their sequence.
  void apply_order() {
    std::vector<std::string_view> wrong;
    Span wrong_at{};
    for (const ColumnOrder& order : statement_.clustering_order) {
      const Column* column = find(order.column.text);
      if (column != nullptr && column->kind == Column::Kind::clustering) continue;
      if (wrong.empty()) wrong_at = order.column.at;
      wrong.push_back(order.column.text);
    }
    if (!wrong.empty())
      refuse_invalid(wrong_at, fmt::format("{} is no clustering column", wrong.front()),
                     fmt::format("Only clustering key columns can be defined in CLUSTERING ORDER directive: [{}] are "
                                 "not clustering columns",
                                 fmt::join(wrong, ", ")),
                     statement_.clustering.empty()
                         ? "remove CLUSTERING ORDER BY: the table has no clustering columns"
                         : "order the clustering columns only: " + names_of(statement_.clustering));
    for (std::size_t i = 0; i < statement_.clustering_order.size(); ++i) {
      const ColumnOrder& order = statement_.clustering_order[i];
      if (order.column.text != statement_.clustering[i].text) refuse_sequence(order.column, statement_.clustering[i]);
      find(order.column.text)->order = order.descending ? Column::Order::desc : Column::Order::asc;
    }
  }

  [[noreturn]] void refuse_sequence(const Name& found, const Name& expected) const {
    const bool later = std::ranges::find(statement_.clustering_order, expected.text, [](const ColumnOrder& order) {
                         return order.column.text;
                       }) != statement_.clustering_order.end();
    refuse_invalid(
        found.at,
        later ? fmt::format("{} comes before {} in the primary key", expected.text, found.text)
              : fmt::format("the order of {} has to be given first", expected.text),
        later ? fmt::format(
                    "The order of columns in the CLUSTERING ORDER directive must match that of the clustering columns "
                    "({} must appear before {})",
                    expected.text, found.text)
              : fmt::format("Missing CLUSTERING ORDER for column {}", expected.text),
        "give the orders in the sequence of the primary key: " + names_of(statement_.clustering));
  }

  static std::string names_of(const std::vector<Name>& names) {
    std::string text;
    for (const Name& name : names) text += (text.empty() ? "" : ", ") + quoted_if_needed(name.text);
    return text;
  }

  void check_statics() const {
    for (const ColumnDefinition& definition : statement_.columns)
      if (definition.is_static && statement_.clustering.empty())
        refuse_invalid(
            definition.name.at,
            fmt::format("{} is static, but the table has no clustering columns", definition.name.text),
            "Static columns are only useful (and thus allowed) if the table has at least one clustering column",
            "remove STATIC: each partition is one row anyway");
  }

  void check_counters() const {
    const auto counter = std::ranges::find(statement_.columns, CqlType::Kind::counter,
                                           [](const ColumnDefinition& each) { return each.type.kind; });
    if (counter == statement_.columns.end()) return;
    for (const Column& column : table_.columns) {
      if (column.position >= 0 || column.type.is_counter()) continue;
      const auto definition = std::ranges::find(statement_.columns, column.name,
                                                [](const ColumnDefinition& each) { return each.name.text; });
      refuse_invalid(
          definition == statement_.columns.end() ? counter->name.at : definition->name.at,
          fmt::format("{} is no counter, but {} is one: a table has either", column.name, counter->name.text),
          "Cannot mix counter and non counter columns in the same table", "keep the counters in a table of their own");
    }
    const Property* ttl = find_property(statement_.properties, "default_time_to_live");
    if (table_.options.default_time_to_live > 0)
      refuse_invalid(ttl->value_at, "counters cannot expire",
                     "Cannot set default_time_to_live on a table with counters", "remove default_time_to_live");
  }

  // CREATE TABLE … WITH COMPACT STORAGE: the layout that Thrift had (CreateTableStatement.fixupCompactTable).
  void make_compact() {
    table_.compact_storage = true;
    const Span at = statement_.name.at();
    std::size_t values = 0;
    for (const Column& column : table_.columns) {
      if (column.position < 0) ++values;
      if (column.type.is_multi_cell())
        refuse_invalid(at, "COMPACT STORAGE takes frozen collections and types only",
                       "Non-frozen collections and UDTs are not supported with COMPACT STORAGE");
      if (column.kind == Column::Kind::static_)
        refuse_invalid(at, "COMPACT STORAGE has no static columns",
                       "Static columns are not supported in COMPACT STORAGE tables");
    }
    const bool dense = !statement_.clustering.empty();
    if (!dense && values == 0)
      refuse_invalid(at, "COMPACT STORAGE needs a column beside the primary key",
                     "No definition found that is not part of the PRIMARY KEY");
    if (dense && values > 1)
      refuse_invalid(
          at, "COMPACT STORAGE with clustering columns takes one other column at most",
          "COMPACT STORAGE with composite PRIMARY KEY allows no more than one column not part of the PRIMARY KEY");
    const bool counter =
        std::ranges::any_of(table_.columns, [](const Column& column) { return column.type.is_counter(); });
    if (!dense) {
      for (Column& column : table_.columns)
        if (column.position < 0) column.kind = Column::Kind::static_;
      table_.columns.push_back({.name = unused("column", 1),
                                .type = simple_type(CqlType::Kind::text),
                                .kind = Column::Kind::clustering,
                                .position = 0,
                                .order = Column::Order::asc});
      table_.columns.push_back(
          {.name = unused("value", 0), .type = simple_type(counter ? CqlType::Kind::counter : CqlType::Kind::blob)});
    } else if (values == 0) {
      table_.columns.push_back({.name = unused("value", 0), .type = simple_type(CqlType::Kind::empty)});
    }
  }

  // column1, column2, …; value, value1, …
  std::string unused(std::string_view base, int number) {
    for (;; ++number) {
      std::string name = number == 0 ? std::string(base) : fmt::format("{}{}", base, number);
      if (find(name) == nullptr) return name;
    }
  }

  const CreateTable& statement_;
  const Keyspace& keyspace_;
  Table table_{};
  std::map<std::string_view, std::size_t> places_{};  // of the statement's columns, by name
  int next_partition_position_ = 0;
  int next_clustering_position_ = 0;
};

void check_table_name(const QualifiedName& name, const std::string& keyspace) {
  const std::string& text = name.name.text;
  if (is_plain_name(text) && text.size() <= longest_table_name) return;
  refuse({.error_class = CqlErrorClass::configuration,
          .at = name.name.at,
          .message = is_plain_name(text)
                         ? fmt::format("the name of a table has at most {} characters", longest_table_name)
                         : "the name of a table has letters, digits and underscores only",
          .server_message =
              is_plain_name(text)
                  ? fmt::format(
                        "{}.{}: Table name must not be more than {} characters long (got {} characters for \"{}\")",
                        keyspace, text, longest_table_name, text.size(), text)
                  : fmt::format(
                        "{}.{}: Table name must not be empty or not contain non-alphanumeric-underscore characters "
                        "(got \"{}\")",
                        keyspace, text, text)});
}

bool is_uuid(std::string_view text) {
  int groups = 0;
  if (text.size() > 36) return false;
  for (std::size_t from = 0;; ++groups) {
    const std::size_t dash = std::min(text.find('-', from), text.size());
    const std::string_view group = text.substr(from, dash - from);
    const auto hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); };
    if (group.empty() || group.size() > 16 || !std::ranges::all_of(group, hex)) return false;
    if (dash == text.size()) return groups == 4;
    from = dash + 1;
  }
}

std::optional<std::string> table_id(const Properties& properties) {
  const Property* property = find_property(properties, "id");
  if (property == nullptr) return std::nullopt;
  const std::string& text = text_value(*property);
  if (is_uuid(text)) return text;
  refuse({.error_class = CqlErrorClass::configuration,
          .at = property->value_at,
          .message = "the id of a table is a UUID",
          .accepted = "5a1c395e-b41f-11e5-9f22-ba0be0483c18",
          .server_message = "Invalid table id"});
}

}  // namespace

void apply(const ApplyContext& context, const CreateTable& statement) {
  const std::string keyspace_text = keyspace_name(context, statement.name);
  if (!statement.has_primary_key)
    refuse_invalid(
        statement.end, fmt::format("table {} has no primary key", statement.name.name.text),
        fmt::format("No PRIMARY KEY specifed for table '{}' (exactly one required)", statement.name.name.text),
        statement.columns.empty()
            ? std::string("add PRIMARY KEY (…)")
            : fmt::format("add , PRIMARY KEY ({})", quoted_if_needed(statement.columns.front().name.text)));
  TableOptions options = build_options(statement.properties, TableOptions(), true, context.settings);
  for (const ColumnDefinition& column : statement.columns)
    if (column.mask && !context.settings.dynamic_data_masking_enabled)
      refuse_invalid(*column.mask, "dynamic data masking is off on a node with shipped settings",
                     "Cannot mask columns because dynamic data masking is not enabled. You can enable it with the "
                     "dynamic_data_masking_enabled property on cassandra.yaml");
  Keyspace& keyspace = expect_keyspace(context, keyspace_text, statement.name.at());
  if (keyspace.find_table(statement.name.name.text) != nullptr) {
    if (statement.if_not_exists) return;
    refuse({.error_class = CqlErrorClass::already_exists,
            .at = statement.name.at(),
            .message = fmt::format("table {}.{} exists already", keyspace.name, statement.name.name.text),
            .fix = "write CREATE TABLE IF NOT EXISTS, or take another name",
            .server_message = fmt::format("Cannot add already existing table \"{}\" to keyspace \"{}\"",
                                          statement.name.name.text, keyspace.name)});
  }
  check_properties(statement.properties, context.settings);
  parse_checked_compaction(options, context.settings);
  Table table = TableBuilder(statement, keyspace).build(std::move(options));
  table.id = table_id(statement.properties);
  check_table_name(statement.name, keyspace.name);
  keyspace.tables.push_back(std::move(table));
}

}  // namespace windrow
