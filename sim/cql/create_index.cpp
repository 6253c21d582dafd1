#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/base/nearest.h"
#include "sim/cql/apply.h"
#include "sim/cql/resolve_type.h"
#include "sim/cql/sai_index.h"
#include "sim/cql/table_properties.h"
#include "sim/schema/identifier.h"

namespace windrow {

namespace {

using Kind = CqlType::Kind;

constexpr std::string_view sasi_class = "org.apache.cassandra.index.sasi.SASIIndex";
constexpr std::string_view legacy_class = "legacy_local_table";  // CassandraIndex.NAME
constexpr std::size_t longest_indexed_name = 48;

std::string_view target_word(IndexTarget::Kind kind) {
  switch (kind) {
    case IndexTarget::Kind::simple:
      return "";
    case IndexTarget::Kind::values:
      return "values";
    case IndexTarget::Kind::keys:
      return "keys";
    case IndexTarget::Kind::entries:
      return "entries";
    case IndexTarget::Kind::full:
      return "full";
  }
  return {};
}

class IndexBuilder {
 public:
  IndexBuilder(const CreateIndex& statement, const Keyspace& keyspace, const Table& table)
      : statement_(statement), keyspace_(keyspace), table_(table) {}

  void resolve_targets() {
    for (IndexTarget target : statement_.targets) {
      const Column* column = table_.find_column(target.column.text);
      if (column == nullptr) refuse_unknown(target.column);
      if (target.kind == IndexTarget::Kind::simple && column->type.is_collection())
        target.kind = IndexTarget::Kind::values;
      targets_.push_back(std::move(target));
    }
  }

  void check_targets(bool custom) const {
    if (targets_.empty() && !custom)
      refuse_invalid(statement_.at, "an index needs a column",
                     "Only CUSTOM indexes can be created without specifying a target column");
    if (targets_.size() > 1) {
      if (!custom)
        refuse_invalid(targets_[1].column.at, "an index has one column", "Only CUSTOM indexes support multiple columns",
                       "make an index for each column");
      for (std::size_t i = 1; i < targets_.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
          if (targets_[i].column.text == targets_[j].column.text)
            refuse_invalid(targets_[i].column.at, fmt::format("{} is given twice", targets_[i].column.text),
                           fmt::format("Duplicate column '{}' in index target list", targets_[i].column.text));
    }
    for (const IndexTarget& target : targets_) check_target(target, custom);
  }

  Index build(bool custom) const {
    Index index{.name = name()};
    index.kind = custom ? Index::Kind::custom : Index::Kind::composites;
    for (const IndexTarget& target : targets_) index.target += (index.target.empty() ? "" : ", ") + target_text(target);
    if (!custom) return index;
    index.class_name = statement_.class_name ? statement_.class_name->text : legacy_class;
    if (const Property* options = find_property(statement_.properties, "options")) index.options = map_value(*options);
    return index;
  }

  void check_class(const Index& index) const {
    if (!is_plain_name(index.name))
      refuse_configuration(statement_.at, "the name of an index has letters, digits and underscores only",
                           fmt::format("Illegal index name {}", index.name));
    if (index.kind != Index::Kind::custom || index.class_name == sasi_class) return;
    constexpr std::array known = std::to_array<std::string_view>({"sai", "StorageAttachedIndex"});
    const Span at = statement_.class_name ? statement_.class_name->at : statement_.at;
    if (!index.is_sai())
      refuse({.error_class = CqlErrorClass::configuration,
              .at = at,
              .message = fmt::format("there is no index class {}", quoted_string(index.class_name)),
              .accepted = "'sai' (StorageAttachedIndex)",
              .nearest = std::string(nearest_name(index.class_name, known)),
              .server_message = fmt::format("Unable to find custom indexer class '{}'", index.class_name)});
    const Property* options = find_property(statement_.properties, "options");
    check_sai_index(index, targets_, table_, statement_.at, options != nullptr ? options->value_at : statement_.at);
  }

 private:
  [[noreturn]] static void refuse_configuration(Span at, std::string message, std::string server_message) {
    refuse({.error_class = CqlErrorClass::configuration,
            .at = at,
            .message = std::move(message),
            .server_message = std::move(server_message)});
  }

  [[noreturn]] void refuse_unknown(const Name& name) const {
    refuse({.error_class = CqlErrorClass::invalid,
            .at = name.at,
            .message = fmt::format("table {}.{} has no column {}", table_.keyspace, table_.name, name.text),
            .nearest = nearest_column(name.text, table_.columns),
            .server_message = fmt::format("Undefined column name {} in table {}.{}", quoted_if_needed(name.text),
                                          table_.keyspace, table_.name)});
  }

  static std::string target_text(const IndexTarget& target) {
    const std::string column = quoted_if_needed(target.column.text);
    return target.kind == IndexTarget::Kind::simple ? column : fmt::format("{}({})", target_word(target.kind), column);
  }

  // CreateIndexStatement.validateIndexTarget
  void check_target(const IndexTarget& target, bool custom) const {
    const Column& column = *table_.find_column(target.column.text);
    const CqlType& type = column.type;
    const Span at = target.column.at;
    if (custom && (!is_plain_name(column.name) || column.name.size() > longest_indexed_name))
      refuse_invalid(
          at, fmt::format("columns of custom indexes have plain names of at most {} characters", longest_indexed_name),
          is_plain_name(column.name)
              ? fmt::format("Column '{}' is longer than the permissible name length of {} characters", column.name,
                            longest_indexed_name)
              : fmt::format("Column '{}' contains non-alphanumeric-underscore characters", column.name));
    if (references_duration(type)) {
      const std::string_view what = type.is_collection()       ? "collections containing durations"
                                    : type.kind == Kind::tuple ? "tuples containing durations"
                                    : type.kind == Kind::udt   ? "UDTs containing durations"
                                                               : "duration columns";
      refuse_invalid(at, "durations cannot be indexed: they have no order",
                     fmt::format("Secondary indexes are not supported on {}", what));
    }
    if (table_.compact_storage && (column.position >= 0 || column.kind == Column::Kind::regular))
      refuse_invalid(at, "this column of a table with COMPACT STORAGE cannot be indexed",
                     column.position >= 0
                         ? "Secondary indexes are not supported on PRIMARY KEY columns in COMPACT STORAGE tables"
                         : "Secondary indexes are not supported on compact value column of COMPACT STORAGE tables");
    if (column.kind == Column::Kind::partition_key && table_.partition_key().size() == 1)
      refuse_invalid(at, fmt::format("{} is the whole partition key: rows are found by it anyway", column.name),
                     fmt::format("Cannot create secondary index on the only partition key column {}", column.name));
    check_target_kind(target, column);
  }

  static void check_target_kind(const IndexTarget& target, const Column& column) {
    const CqlType& type = column.type;
    const Span at = target.column.at;
    const std::string_view word = target_word(target.kind);
    const bool frozen_collection = type.is_collection() && type.frozen;
    const bool full = target.kind == IndexTarget::Kind::full;
    if (frozen_collection && !full)
      refuse_invalid(at, fmt::format("{} is frozen: it is indexed as a whole", column.name),
                     fmt::format("Cannot create {0}() index on frozen column {1}. Frozen collections are immutable and "
                                 "must be fully indexed "
                                 "by using the 'full({1})' modifier",
                                 word, column.name),
                     fmt::format("write FULL({})", quoted_if_needed(column.name)));
    if (!frozen_collection && full)
      refuse_invalid(at, "FULL is for frozen collections", "full() indexes can only be created on frozen collections",
                     fmt::format("write {} alone", quoted_if_needed(column.name)));
    if (!type.is_collection() && target.kind != IndexTarget::Kind::simple)
      refuse_invalid(at, fmt::format("{} is no collection", column.name),
                     fmt::format("Cannot create {}() index on {}. Non-collection columns only support simple indexes",
                                 word, column.name),
                     fmt::format("write {} alone", quoted_if_needed(column.name)));
    const bool map_target = target.kind == IndexTarget::Kind::keys || target.kind == IndexTarget::Kind::entries;
    if (map_target && (type.kind != Kind::map || type.frozen))
      refuse_invalid(at, fmt::format("{} is no map", column.name),
                     fmt::format("Cannot create index on {} of column {} with non-map type", word, column.name),
                     fmt::format("write VALUES({})", quoted_if_needed(column.name)));
    if (type.kind == Kind::udt && type.is_multi_cell())
      refuse_invalid(at, fmt::format("{} is of a user-defined type that is not frozen", column.name),
                     fmt::format("Cannot create index on non-frozen UDT column {}", column.name));
  }

  bool has_index(std::string_view name_sought) const {
    return std::ranges::any_of(keyspace_.tables, [&](const Table& table) {
      return std::ranges::find(table.indexes, name_sought, &Index::name) != table.indexes.end();
    });
  }

  // The given name, or table_column_idx with a number if that is taken.
  std::string name() const {
    if (statement_.name) return statement_.name->text;
    std::string base = targets_.size() == 1 ? fmt::format("{}_{}_idx", table_.name, targets_.front().column.text)
                                            : fmt::format("{}_idx", table_.name);
    std::erase_if(base, [](char c) { return !is_plain_name({&c, 1}); });
    std::string free = base;
    for (int i = 1; has_index(free); ++i) free = fmt::format("{}_{}", base, i);
    return free;
  }

  const CreateIndex& statement_;
  const Keyspace& keyspace_;
  const Table& table_;
  std::vector<IndexTarget> targets_{};
};

// IndexAttributes.validate
void check_attributes(const CreateIndex& statement, bool custom, const CqlSettings& settings) {
  for (const Property& property : statement.properties) {
    if (property.name.text != "options")
      refuse({.error_class = CqlErrorClass::syntax,
              .at = property.name.at,
              .message = fmt::format("an index has no option {}", property.name.text),
              .accepted = "options = {'case_sensitive': 'false'}",
              .server_message = fmt::format("Unknown property '{}'", property.name.text)});
    if (!custom)
      refuse_invalid(property.name.at, "only custom indexes have options",
                     "Cannot specify options for a non-CUSTOM index", "add USING 'sai'");
    for (const auto& [key, value] : map_value(property))
      if (key == "class_name" || key == "target")
        refuse_invalid(property.value_at, fmt::format("{} is the server's own", quoted_string(key)),
                       fmt::format("Cannot specify {} as a CUSTOM option", key));
  }
  if (custom && statement.class_name && statement.class_name->text == sasi_class && !settings.sasi_indexes_enabled)
    refuse_invalid(statement.class_name->at, "SASI indexes are off on a node with shipped settings",
                   "SASI indexes are disabled. Enable in cassandra.yaml to use.",
                   "write USING 'sai', without the options of SASI: it has no LIKE");
}

}  // namespace

void apply(const ApplyContext& context, const CreateIndex& statement) {
  const std::string keyspace_text = keyspace_name(context, statement.table);
  const bool legacy = statement.class_name && equals_ignore_case(statement.class_name->text, legacy_class);
  const bool custom = statement.custom || (statement.class_name && !legacy);
  check_attributes(statement, custom, context.settings);
  Keyspace& keyspace = expect_keyspace(context, keyspace_text, statement.table.at());
  const std::string& table_name = statement.table.name.text;
  if (keyspace.find_view(table_name) != nullptr)
    refuse_invalid(statement.table.at(), "a materialized view has no indexes of its own",
                   "Secondary indexes on materialized views aren't supported");
  Table* table = keyspace.find_table(table_name);
  if (table == nullptr)
    refuse_missing_table(context, keyspace_text, statement.table, fmt::format("Table '{}' doesn't exist", table_name));
  if (statement.name)
    for (const Table& each : keyspace.tables)
      if (std::ranges::find(each.indexes, statement.name->text, &Index::name) != each.indexes.end()) {
        if (statement.if_not_exists) return;
        refuse_invalid(statement.name->at, fmt::format("index {} exists already", statement.name->text),
                       fmt::format("Index '{}' already exists", statement.name->text),
                       "write CREATE INDEX IF NOT EXISTS, or take another name");
      }
  if (table->is_counter())
    refuse_invalid(statement.table.at(), "tables with counters cannot be indexed",
                   "Secondary indexes on counter tables aren't supported");
  IndexBuilder builder(statement, keyspace, *table);
  builder.resolve_targets();
  builder.check_targets(custom);
  Index index = builder.build(custom);
  for (const Index& other : table->indexes) {
    if (other.kind != index.kind || other.target != index.target || other.class_name != index.class_name ||
        other.options != index.options)
      continue;
    if (statement.if_not_exists) return;
    refuse_invalid(statement.at, fmt::format("index {} does the same already", other.name),
                   fmt::format("Index {} is a duplicate of existing index {}", index.name, other.name),
                   "remove one of the two");
  }
  builder.check_class(index);
  const auto place = std::ranges::lower_bound(table->indexes, index.name, {}, &Index::name);
  table->indexes.insert(place, std::move(index));
}

}  // namespace windrow
