#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "sim/cql/apply.h"
#include "sim/cql/resolve_type.h"
#include "sim/cql/table_properties.h"
#include "sim/schema/identifier.h"

namespace windrow {

namespace {

class ViewBuilder {
 public:
  ViewBuilder(const CreateView& statement, const Table& base) : statement_(statement), base_(base) {}

  MaterializedView build(TableOptions options) {
    MaterializedView view{
        .name = statement_.name.name.text, .base_table = base_.name, .selects_all = statement_.selects_all};
    view.options = std::move(options);
    for (const Name& name : statement_.partition_key) add(view, name.text, Column::Kind::partition_key);
    for (const Name& name : statement_.clustering) add(view, name.text, Column::Kind::clustering);
    for (const Column& column : base_.columns)
      if (selected_.contains(column.name) && !keys_.contains(column.name))
        add(view, column.name, Column::Kind::regular);
    std::ranges::sort(view.columns, {}, [](const Column& column) {
      return std::tuple(column.kind, column.position, column.type.is_multi_cell(), std::string_view(column.name));
    });
    return view;
  }

  void check() {
    select();
    for (const auto* names : {&statement_.partition_key, &statement_.clustering})
      for (const Name& name : *names) check_key(name);
    check_order();
    check_base_keys();
    check_where();
  }

 private:
  const Column& expect_column(const Name& name) const {
    const Column* column = base_.find_column(name.text);
    if (column != nullptr) return *column;
    refuse({.error_class = CqlErrorClass::invalid,
            .at = name.at,
            .message = fmt::format("table {}.{} has no column {}", base_.keyspace, base_.name, name.text),
            .nearest = nearest_column(name.text, base_.columns),
            .server_message = fmt::format("Undefined column name {} in table {}.{}", quoted_if_needed(name.text),
                                          base_.keyspace, base_.name)});
  }

  void select() {
    if (statement_.selects_all)
      for (const Column& column : base_.columns) selected_.insert(column.name);
    for (const Name& name : statement_.selected) selected_.insert(expect_column(name).name);
    for (const Column& column : base_.columns)
      if (selected_.contains(column.name) && column.kind == Column::Kind::static_)
        refuse_invalid(statement_.name.at(), fmt::format("{} is static: views leave static columns out", column.name),
                       fmt::format("Cannot include static column '{}' in materialized view '{}'", column.name,
                                   statement_.name.name.text),
                       "select the columns by name");
  }

  void check_key(const Name& name) {
    const Column* column = base_.find_column(name.text);
    const std::string& view = statement_.name.name.text;
    if (column == nullptr || !selected_.contains(name.text))
      refuse_invalid(
          name.at, fmt::format("the view's key names {}, which is not selected", name.text),
          fmt::format("Unknown column '{}' referenced in PRIMARY KEY for materialized view '{}'", name.text, view));
    if (!keys_.insert(name.text).second)
      refuse_invalid(
          name.at, fmt::format("{} stands twice in the primary key", name.text),
          fmt::format("Duplicate column '{}' in PRIMARY KEY clause for materialized view '{}'", name.text, view));
    const std::string server_end = fmt::format("for PRIMARY KEY column '{}'", name.text);
    if (column->type.is_multi_cell())
      refuse_invalid(name.at, fmt::format("a column of the primary key has to be frozen, {} is not", name.text),
                     fmt::format("Invalid non-frozen {} type '{}' {}",
                                 column->type.is_collection() ? "collection" : "user-defined", column->type.to_string(),
                                 server_end));
    if (references_duration(column->type))
      refuse_invalid(name.at,
                     fmt::format("{} holds a duration: it has no order and cannot be in the primary key", name.text),
                     fmt::format("duration type is not supported {}", server_end));
  }

  void check_order() const {
    if (statement_.clustering_order.empty()) return;
    const bool same =
        std::ranges::equal(statement_.clustering_order, statement_.clustering,
                           [](const ColumnOrder& order, const Name& name) { return order.column.text == name.text; });
    if (!same)
      refuse_invalid(statement_.clustering_order.front().column.at,
                     "the order of a view names each of its clustering columns, in sequence",
                     "Clustering key columns must exactly match columns in CLUSTERING ORDER BY directive");
  }

  void check_base_keys() const {
    std::vector<std::string_view> missing;
    std::set<std::string_view> extra(keys_.begin(), keys_.end());
    for (const Column& column : base_.columns) {
      if (column.position < 0) continue;
      if (!keys_.contains(column.name)) missing.push_back(column.name);
      extra.erase(column.name);
    }
    if (!missing.empty())
      refuse_invalid(
          statement_.name.at(), fmt::format("the view's key lacks {} of the base table", fmt::join(missing, ", ")),
          fmt::format("Cannot create materialized view '{}' without primary key columns {} from base table '{}'",
                      statement_.name.name.text, fmt::join(missing, ", "), base_.name),
          "add it to the clustering columns");
    if (extra.size() > 1)
      refuse_invalid(
          statement_.name.at(), "the view's key has more than one column beside the base table's",
          fmt::format("Cannot include more than one non-primary key column in materialized view primary key (got {})",
                      fmt::join(extra, ", ")));
  }

  void check_where() const {
    std::set<std::string_view> restricted;
    for (const ViewRestriction& restriction : statement_.where) {
      if (restriction.kind == ViewRestriction::Kind::token)
        refuse_invalid(restriction.column.at, "a view's WHERE has no token()",
                       "Cannot use token relation when defining a materialized view");
      const Column& column = expect_column(restriction.column);
      restricted.insert(column.name);
      if (restriction.kind == ViewRestriction::Kind::value && column.position < 0 && !keys_.contains(column.name))
        refuse_invalid(
            restriction.column.at, fmt::format("{} may only be restricted by IS NOT NULL", column.name),
            fmt::format(
                "Non-primary key columns can only be restricted with 'IS NOT NULL' (got: {} restricted illegally)",
                column.name));
    }
    std::vector<std::string_view> unrestricted;
    for (const std::string& key : keys_)
      if (!restricted.contains(key)) unrestricted.push_back(key);
    if (!unrestricted.empty())
      refuse_invalid(statement_.name.at(),
                     fmt::format("WHERE lacks {} IS NOT NULL", fmt::join(unrestricted, " IS NOT NULL AND ")),
                     fmt::format("Primary key columns {} must be restricted with 'IS NOT NULL' or otherwise",
                                 fmt::join(unrestricted, ", ")));
  }

  void add(MaterializedView& view, std::string_view name, Column::Kind kind) const {
    Column column = *base_.find_column(name);
    const auto of_kind = std::ranges::count(view.columns, kind, &Column::kind);
    column.kind = kind;
    column.position = kind == Column::Kind::regular ? -1 : static_cast<int>(of_kind);
    const bool descending = column.order == Column::Order::desc;
    column.order = kind == Column::Kind::clustering ? (descending ? Column::Order::desc : Column::Order::asc)
                                                    : Column::Order::none;
    for (const ColumnOrder& order : statement_.clustering_order)
      if (order.column.text == name && kind == Column::Kind::clustering)
        column.order = order.descending ? Column::Order::desc : Column::Order::asc;
    view.columns.push_back(std::move(column));
  }

  const CreateView& statement_;
  const Table& base_;
  std::set<std::string, std::less<>> selected_{};
  std::set<std::string, std::less<>> keys_{};
};

void refuse_existing(const CreateView& statement, const Keyspace& keyspace) {
  refuse({.error_class = CqlErrorClass::already_exists,
          .at = statement.name.at(),
          .message = fmt::format("materialized view {}.{} exists already", keyspace.name, statement.name.name.text),
          .fix = "write CREATE MATERIALIZED VIEW IF NOT EXISTS, or take another name",
          .server_message = fmt::format("Cannot add already existing table \"{}\" to keyspace \"{}\"",
                                        statement.name.name.text, keyspace.name)});
}

void check_view_ttl(const Properties& properties, std::string_view server_message) {
  const Property* ttl = find_property(properties, "default_time_to_live");
  if (ttl != nullptr && text_value(*ttl) != "0")
    refuse_invalid(ttl->value_at, "rows of a view expire with the base table's", std::string(server_message),
                   "remove default_time_to_live");
}

}  // namespace

void apply(const ApplyContext& context, const CreateView& statement) {
  const std::string keyspace_text = keyspace_name(context, statement.name);
  const std::string& name = statement.name.name.text;
  if (statement.base.keyspace && statement.base.keyspace->text != keyspace_text)
    refuse_invalid(statement.base.at(), "a view lives in the keyspace of its base table",
                   "Cannot create a materialized view on a table in a different keyspace");
  if (!context.settings.materialized_views_enabled)
    refuse_invalid(statement.name.at(), "materialized views are off on a node with shipped settings",
                   "Materialized views are disabled. Enable in cassandra.yaml to use.");
  Keyspace& keyspace = expect_keyspace(context, keyspace_text, statement.name.at());
  const Table* base = keyspace.find_table(statement.base.name.text);
  if (base == nullptr)
    refuse_missing_table(context, keyspace_text, statement.base,
                         fmt::format("Base table '{}' doesn't exist", statement.base.name.text));
  if (keyspace.find_table(name) != nullptr)
    refuse_invalid(
        statement.name.at(), fmt::format("there is a table {} already", name),
        fmt::format("Cannot create materialized view '{}' - a table with the same name already exists", name));
  if (keyspace.find_view(name) != nullptr) {
    if (statement.if_not_exists) return;
    refuse_existing(statement, keyspace);
  }
  if (base->is_counter())
    refuse_invalid(statement.base.at(), "a table with counters has no views",
                   "Materialized views are not supported on counter tables");
  if (base->options.gc_grace_seconds == 0)
    refuse_invalid(statement.base.at(), "the base table of a view needs a gc_grace_seconds above 0",
                   fmt::format("Cannot create materialized view '{}' for base table '{}' with gc_grace_seconds of 0",
                               name, base->name));
  ViewBuilder builder(statement, *base);
  builder.check();
  check_properties(statement.properties, context.settings);
  check_view_ttl(statement.properties, "Cannot set default_time_to_live for a materialized view.");
  TableOptions options = build_options(statement.properties, TableOptions(), true, context.settings);
  parse_checked_compaction(options, context.settings);
  keyspace.views.push_back(builder.build(std::move(options)));
}

void apply(const ApplyContext& context, const AlterView& statement) {
  const std::string keyspace_text = keyspace_name(context, statement.name);
  Keyspace* keyspace = context.schema.find_keyspace(keyspace_text);
  const std::string& name = statement.name.name.text;
  if (keyspace == nullptr || keyspace->find_view(name) == nullptr) {
    if (statement.if_exists) return;
    refuse_invalid(statement.name.at(), fmt::format("there is no materialized view {}.{}", keyspace_text, name),
                   fmt::format("Materialized view '{}.{}' doesn't exist", keyspace_text, name));
  }
  MaterializedView& view = *std::ranges::find(keyspace->views, name, &MaterializedView::name);
  check_properties(statement.properties, context.settings);
  TableOptions options = build_options(statement.properties, view.options, false, context.settings);
  if (options.gc_grace_seconds == 0)
    refuse_invalid(statement.name.at(), "a view needs a gc_grace_seconds above 0",
                   "Cannot alter gc_grace_seconds of a materialized view to 0, since this value is used to TTL "
                   "undelivered updates.");
  check_view_ttl(statement.properties, "Forbidden default_time_to_live detected for a materialized view.");
  parse_checked_compaction(options, context.settings);
  view.options = std::move(options);
}

}  // namespace windrow
