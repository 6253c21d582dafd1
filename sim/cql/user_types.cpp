#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "sim/cql/apply.h"
#include "sim/cql/resolve_type.h"
#include "sim/schema/identifier.h"

namespace windrow {

namespace {

void check_field_type(const RawType& type) {
  if (type.kind == CqlType::Kind::counter)
    refuse_invalid(type.at, "a user-defined type cannot hold counters", "A user type cannot contain counters",
                   "use bigint");
  if (type.kind == CqlType::Kind::udt && !type.frozen)
    refuse_invalid(type.at, fmt::format("{} inside a user-defined type has to be frozen", type.to_string()),
                   "A user type cannot contain non-frozen UDTs", fmt::format("write frozen<{}>", type.to_string()));
}

void add_field(Keyspace& keyspace, UserType& type, const AddField& add) {
  check_field_type(add.type);
  const std::string& field = add.name.text;
  if (std::ranges::find(type.field_names, field) != type.field_names.end()) {
    if (add.if_not_exists) return;
    refuse_invalid(
        add.name.at, fmt::format("type {} has a field {} already", type.name, field),
        fmt::format("Cannot add field {0} to type {1}: a field with name {0} already exists", field, type.name));
  }
  CqlType field_type = resolve_type(add.type, keyspace);
  if (references_user_type(field_type, type.name))
    refuse_invalid(
        add.type.at, fmt::format("{} would hold itself", type.name),
        fmt::format("Cannot add new field {} of type {} to user type {} as it would create a circular reference", field,
                    add.type.to_string(), type.name));
  for (const Table& table : keyspace.tables)
    for (const Column& column : table.partition_key())
      if (references_user_type(column.type, type.name))
        refuse_invalid(
            add.name.at, fmt::format("{} is in the partition key of table {}", type.name, table.name),
            fmt::format(
                "Cannot add new field {} of type {} to user type {} as the type is being used in partition key by the "
                "following tables: {}.{}",
                field, add.type.to_string(), type.name, keyspace.name, table.name));
  type.field_names.push_back(field);
  type.field_types.push_back(std::move(field_type));
}

void rename_fields(UserType& type, const RenameFields& rename) {
  std::vector<std::string> names = type.field_names;
  for (const auto& [from, to] : rename.fields) {
    const auto found = std::ranges::find(type.field_names, from.text);
    if (found == type.field_names.end()) {
      if (rename.if_exists) continue;
      refuse_invalid(from.at, fmt::format("type {} has no field {}", type.name, from.text),
                     fmt::format("Unkown field {} in user type {}", from.text, type.name),
                     fmt::format("its fields are {}", fmt::join(type.field_names, ", ")));
    }
    names[static_cast<std::size_t>(found - type.field_names.begin())] = to.text;
  }
  for (const auto& [from, to] : rename.fields)
    if (std::ranges::count(names, to.text) > 1)
      refuse_invalid(to.at, fmt::format("type {} would have two fields {}", type.name, to.text),
                     fmt::format("Duplicate field name {} in type {}", to.text, type.name));
  type.field_names = std::move(names);
}

}  // namespace

void apply(const ApplyContext& context, const CreateType& statement) {
  const std::string keyspace_text = keyspace_name(context, statement.name);
  Keyspace& keyspace = expect_keyspace(context, keyspace_text, statement.name.at());
  const std::string& name = statement.name.name.text;
  if (keyspace.find_type(name) != nullptr) {
    if (statement.if_not_exists) return;
    refuse_invalid(statement.name.at(), fmt::format("type {}.{} exists already", keyspace.name, name),
                   fmt::format("A user type with name '{}' already exists", name),
                   "write CREATE TYPE IF NOT EXISTS, or take another name");
  }
  UserType type{.name = name};
  std::set<std::string_view> names;
  for (const auto& [field, raw] : statement.fields) {
    if (!names.insert(field.text).second)
      refuse_invalid(field.at, fmt::format("field {} is declared twice", field.text),
                     fmt::format("Duplicate field name '{}' in type '{}'", field.text, name),
                     "remove or rename one of the two");
    type.field_names.push_back(field.text);
  }
  for (const auto& [field, raw] : statement.fields) check_field_type(raw);
  for (const auto& [field, raw] : statement.fields) type.field_types.push_back(resolve_type(raw, keyspace));
  keyspace.types.push_back(std::move(type));
}

void apply(const ApplyContext& context, const AlterType& statement) {
  const std::string keyspace_text = keyspace_name(context, statement.name);
  Keyspace* keyspace = context.schema.find_keyspace(keyspace_text);
  const std::string& name = statement.name.name.text;
  const UserType* known = keyspace == nullptr ? nullptr : keyspace->find_type(name);
  if (known == nullptr) {
    if (statement.if_exists) return;
    refuse_invalid(statement.name.at(),
                   fmt::format("there is no type {}", as_written(context, keyspace_text, statement.name)),
                   fmt::format("Type {}.{} doesn't exist", keyspace_text, name),
                   keyspace == nullptr || keyspace->types.empty() ? std::string(made_elsewhere) : std::string());
  }
  UserType changed = *known;
  if (const AddField* add = std::get_if<AddField>(&statement.action)) {
    add_field(*keyspace, changed, *add);
  } else if (const RenameFields* rename = std::get_if<RenameFields>(&statement.action)) {
    rename_fields(changed, *rename);
  } else {
    refuse_invalid(statement.name.at(), "the type of a field cannot be changed",
                   "Altering field types is no longer supported", "add a field of the new type under another name");
  }
  Keyspace refreshed = *keyspace;
  *std::ranges::find(refreshed.types, name, &UserType::name) = std::move(changed);
  refresh_user_types(refreshed, name, statement.name.at());
  *keyspace = std::move(refreshed);
}

}  // namespace windrow
