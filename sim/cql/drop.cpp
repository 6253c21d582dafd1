#include <fmt/format.h>

#include <algorithm>

#include "sim/base/nearest.h"
#include "sim/cql/apply.h"
#include "sim/cql/resolve_type.h"

namespace windrow {

namespace {

void check_type_unused(const Keyspace& keyspace, const Drop& drop) {
  const std::string& name = drop.name.name.text;
  const auto refuse_used = [&](std::string_view what, std::string_view user) {
    refuse_invalid(drop.name.at(), fmt::format("type {} is used by {} {}", name, what, user),
                   fmt::format("Cannot drop user type '{}.{}' as it is still used by {}s {}", keyspace.name, name,
                               what == "type" ? "user type" : what, user));
  };
  for (const UserType& type : keyspace.types)
    for (const CqlType& field : type.field_types)
      if (references_user_type(field, name)) refuse_used("type", type.name);
  for (const Table& table : keyspace.tables)
    for (const Column& column : table.columns)
      if (references_user_type(column.type, name)) refuse_used("table", table.name);
}

// True if there was one.
bool drop_table(Keyspace& keyspace, const Drop& drop) {
  const std::string& name = drop.name.name.text;
  if (keyspace.find_view(name) != nullptr)
    refuse_invalid(drop.name.at(), fmt::format("{} is a materialized view", name),
                   "Cannot use DROP TABLE on a materialized view. Please use DROP MATERIALIZED VIEW instead.",
                   "write DROP MATERIALIZED VIEW");
  const auto view = std::ranges::find(keyspace.views, name, &MaterializedView::base_table);
  if (view != keyspace.views.end())
    refuse_invalid(drop.name.at(), fmt::format("the materialized view {} depends on {}", view->name, name),
                   fmt::format("Cannot drop a table when materialized views still depend on it ({})", keyspace.name),
                   fmt::format("DROP MATERIALIZED VIEW {} first", view->name));
  return std::erase_if(keyspace.tables, [&](const Table& table) { return table.name == name; }) > 0;
}

bool drop_in(Keyspace& keyspace, const Drop& drop) {
  const std::string& name = drop.name.name.text;
  switch (drop.kind) {
    case Drop::Kind::table:
      return drop_table(keyspace, drop);
    case Drop::Kind::view:
      return std::erase_if(keyspace.views, [&](const MaterializedView& view) { return view.name == name; }) > 0;
    case Drop::Kind::type:
      if (keyspace.find_type(name) == nullptr) return false;
      check_type_unused(keyspace, drop);
      return std::erase_if(keyspace.types, [&](const UserType& type) { return type.name == name; }) > 0;
    case Drop::Kind::index:
      for (Table& table : keyspace.tables)
        if (std::erase_if(table.indexes, [&](const Index& index) { return index.name == name; }) > 0) return true;
      return false;
    case Drop::Kind::keyspace:
      return false;  // not inside a keyspace
  }
  return false;
}

std::string_view kind_text(Drop::Kind kind) {
  switch (kind) {
    case Drop::Kind::keyspace:
      return "keyspace";
    case Drop::Kind::table:
      return "table";
    case Drop::Kind::type:
      return "type";
    case Drop::Kind::index:
      return "index";
    case Drop::Kind::view:
      return "materialized view";
  }
  return {};
}

void drop_keyspace(const ApplyContext& context, const Drop& drop) {
  const std::string name = keyspace_name(context, {.keyspace = drop.name.name, .name = drop.name.name});
  if (std::erase_if(context.schema.keyspaces, [&](const Keyspace& keyspace) { return keyspace.name == name; }) > 0)
    return;
  if (!drop.if_exists && !context.settings.pass_over_missing_drops)
    refuse_invalid(drop.name.name.at, fmt::format("there is no keyspace {}", name),
                   fmt::format("Keyspace '{}' doesn't exist", name));
}

}  // namespace

std::string as_written(const ApplyContext& context, const std::string& keyspace, const QualifiedName& name) {
  if (!name.keyspace && keyspace == context.settings.implicit_keyspace) return name.name.text;
  return fmt::format("{}.{}", keyspace, name.name.text);
}

void refuse_missing_table(const ApplyContext& context, const std::string& keyspace, const QualifiedName& name,
                          std::string server_message, std::string fix) {
  std::vector<std::string_view> known;
  if (const Keyspace* found = context.schema.find_keyspace(keyspace))
    for (const Table& table : found->tables) known.push_back(table.name);
  refuse({.error_class = CqlErrorClass::invalid,
          .at = name.at(),
          .message = fmt::format("there is no table {}", as_written(context, keyspace, name)),
          .nearest = std::string(nearest_name(name.name.text, known)),
          .fix = fix.empty() && known.empty() ? std::string(made_elsewhere) : std::move(fix),
          .server_message = std::move(server_message)});
}

void apply(const ApplyContext& context, const Drop& statement) {
  if (statement.kind == Drop::Kind::keyspace) return drop_keyspace(context, statement);
  const std::string keyspace_text = keyspace_name(context, statement.name);
  Keyspace* keyspace = context.schema.find_keyspace(keyspace_text);
  if ((keyspace != nullptr && drop_in(*keyspace, statement)) || statement.if_exists ||
      context.settings.pass_over_missing_drops)
    return;
  const std::string& name = statement.name.name.text;
  if (statement.kind == Drop::Kind::table)
    refuse_missing_table(context, keyspace_text, statement.name,
                         fmt::format("Table '{}.{}' doesn't exist", keyspace_text, name),
                         "DROP TABLE IF EXISTS, which does nothing where there is none");
  const std::string_view kind = kind_text(statement.kind);
  std::string titled(kind);
  titled.front() = static_cast<char>(titled.front() - 'a' + 'A');
  refuse_invalid(statement.name.at(), fmt::format("there is no {} {}.{}", kind, keyspace_text, name),
                 fmt::format("{} '{}.{}' doesn't exist", titled, keyspace_text, name));
}

}  // namespace windrow
