#include "sim/cql/resolve_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "sim/base/nearest.h"

namespace windrow {

namespace {

using Kind = CqlType::Kind;

// User types are copied into the types that hold them: a few lines of CQL could ask for billions of fields.
constexpr std::size_t most_parts = 1'000;

std::size_t parts(const CqlType& type) {
  std::size_t sum = 1;
  for (const CqlType& argument : type.arguments) sum += parts(argument);
  return sum;
}

void check_size(const CqlType& type, Span at) {
  if (parts(type) > most_parts)
    refuse_invalid(at, fmt::format("this type has more than {} parts when its user types are written out", most_parts),
                   {});
}

bool needs_freezing(const RawType& type) { return !type.frozen && (type.is_collection() || type.kind == Kind::udt); }

[[noreturn]] void refuse_nested(const RawType& outer, const RawType& inner) {
  const std::string_view what = inner.kind == Kind::udt ? "UDTs" : "collections";
  refuse_invalid(inner.at, fmt::format("{} inside a collection has to be frozen", inner.to_string()),
                 fmt::format("Non-frozen {} are not allowed inside collections: {}", what, outer.to_string()),
                 fmt::format("write frozen<{}>", inner.to_string()));
}

// RawCollection.prepare
void check_collection(const RawType& raw) {
  const RawType& values = raw.arguments.back();
  if (!raw.frozen && needs_freezing(values)) refuse_nested(raw, values);
  const std::string counters = fmt::format("Counters are not allowed inside collections: {}", raw.to_string());
  if (values.kind == Kind::counter) refuse_invalid(values.at, "a collection cannot hold counters", counters);
  if (values.kind == Kind::duration && raw.kind == Kind::set)
    refuse_invalid(values.at, "a set cannot hold durations: they have no order",
                   fmt::format("Durations are not allowed inside sets: {}", raw.to_string()), "use list<duration>");
  if (raw.kind != Kind::map) return;
  const RawType& keys = raw.arguments.front();
  if (keys.kind == Kind::counter) refuse_invalid(keys.at, "a collection cannot hold counters", counters);
  if (keys.kind == Kind::duration)
    refuse_invalid(keys.at, "a duration cannot be the key of a map: it has no order",
                   fmt::format("Durations are not allowed as map keys: {}", raw.to_string()));
  if (!raw.frozen && needs_freezing(keys)) refuse_nested(raw, keys);
}

// What other databases and languages call the types of CQL.
std::string_view cql_type_for(std::string_view name) {
  constexpr std::array others =
      std::to_array<std::pair<std::string_view, std::string_view>>({{"integer", "int"},
                                                                    {"long", "bigint"},
                                                                    {"int64", "bigint"},
                                                                    {"short", "smallint"},
                                                                    {"string", "text"},
                                                                    {"char", "text"},
                                                                    {"nvarchar", "text"},
                                                                    {"clob", "text"},
                                                                    {"bool", "boolean"},
                                                                    {"datetime", "timestamp"},
                                                                    {"timestamptz", "timestamp"},
                                                                    {"real", "float"},
                                                                    {"number", "decimal"},
                                                                    {"numeric", "decimal"},
                                                                    {"bytes", "blob"},
                                                                    {"binary", "blob"},
                                                                    {"bytea", "blob"},
                                                                    {"guid", "uuid"},
                                                                    {"array", "list<…>"},
                                                                    {"interval", "duration"},
                                                                    {"serial", "timeuuid"},
                                                                    {"bigserial", "timeuuid"}});
  for (const auto& [other, ours] : others)
    if (name == other) return ours;
  return {};
}

CqlType resolve_user_type(const RawType& raw, const Keyspace& keyspace) {
  const QualifiedName& name = raw.user_type;
  if (name.keyspace && name.keyspace->text != keyspace.name)
    refuse_invalid(
        raw.at,
        fmt::format("a table of keyspace {} cannot use a type of keyspace {}", keyspace.name, name.keyspace->text),
        fmt::format(
            "Statement on keyspace {} cannot refer to a user type in keyspace {}; user types can only be used in "
            "the keyspace they are defined in",
            keyspace.name, name.keyspace->text));
  const UserType* type = keyspace.find_type(name.name.text);
  if (type != nullptr) return type->type(raw.frozen);
  std::vector<std::string> known = {"ascii",   "bigint",    "blob",     "boolean",  "counter",  "date",     "decimal",
                                    "double",  "duration",  "float",    "inet",     "int",      "smallint", "text",
                                    "time",    "timestamp", "timeuuid", "tinyint",  "uuid",     "varchar",  "varint",
                                    "list<…>", "set<…>",    "map<…>",   "tuple<…>", "vector<…>"};
  for (const UserType& each : keyspace.types) known.push_back(each.name);
  const std::string_view synonym = cql_type_for(name.name.text);
  refuse({.error_class = CqlErrorClass::invalid,
          .at = raw.at,
          .message = fmt::format("there is no type {}", name.name.text),
          .accepted = fmt::format("{}", fmt::join(known, ", ")),
          .nearest = std::string(synonym.empty() ? nearest_name(name.name.text, known) : synonym),
          .server_message = fmt::format("Unknown type {}.{}", keyspace.name, name.name.text)});
}

// Writes user types anew into the types that hold `changed`, each definition before its uses.
class UserTypeRefresh {
 public:
  UserTypeRefresh(Keyspace& keyspace, std::string_view changed, Span at)
      : keyspace_(keyspace), changed_(changed), at_(at) {}

  void run() {
    for (UserType& user_type : keyspace_.types) refresh_definition(user_type);
    for (Table& table : keyspace_.tables)
      for (Column& column : table.columns) refresh(column.type);
    for (MaterializedView& view : keyspace_.views)
      for (Column& column : view.columns) refresh(column.type);
  }

 private:
  void refresh_definition(UserType& user_type) {
    if (!done_.insert(user_type.name).second) return;
    for (CqlType& field : user_type.field_types) refresh(field);
  }

  void refresh(CqlType& type) {
    if (!references_user_type(type, changed_)) return;
    if (type.kind != Kind::udt) {
      for (CqlType& argument : type.arguments) refresh(argument);
    } else {
      UserType& known = *std::ranges::find(keyspace_.types, type.name, &UserType::name);
      refresh_definition(known);
      type.arguments = known.field_types;
      type.field_names = known.field_names;
    }
    check_size(type, at_);
  }

  Keyspace& keyspace_;
  std::string_view changed_;
  Span at_;
  std::set<std::string, std::less<>> done_{};
};

bool is_compatible(const CqlType& type, const CqlType& previous);

// isCompatibleWith field by field; `type` may have more fields.
bool fields_compatible(const CqlType& type, const CqlType& previous) {
  return type.arguments.size() >= previous.arguments.size() &&
         std::ranges::equal(
             previous.arguments.begin(), previous.arguments.end(), type.arguments.begin(),
             type.arguments.begin() + static_cast<std::ptrdiff_t>(previous.arguments.size()),
             [](const CqlType& old_field, const CqlType& new_field) { return is_compatible(new_field, old_field); });
}

// AbstractType.isCompatibleWith and its overrides: same order of values.
bool is_compatible(const CqlType& type, const CqlType& previous) {
  if (type == previous) return true;
  if (type.kind == Kind::text) return previous.kind == Kind::ascii;
  if (type.kind == Kind::blob) return previous.kind == Kind::ascii || previous.kind == Kind::text;
  if (type.kind == Kind::tuple) return previous.kind == Kind::tuple && fields_compatible(type, previous);
  if (type.kind != previous.kind || type.frozen != previous.frozen) return false;
  if (type.is_collection()) {
    for (std::size_t i = 0; i < type.arguments.size(); ++i)
      if (!is_compatible(type.arguments[i], previous.arguments[i])) return false;
    return true;
  }
  return type.kind == Kind::udt && fields_compatible(type, previous);
}

// isValueCompatibleWith: same bytes, the order may differ.
bool is_value_compatible(const CqlType& type, const CqlType& previous) {
  if (is_compatible(type, previous)) return true;
  const Kind old_kind = previous.kind;
  if (type.kind == Kind::blob) return true;
  if (type.kind == Kind::bigint) return old_kind == Kind::timestamp;
  if (type.kind == Kind::timestamp || type.kind == Kind::time) return old_kind == Kind::bigint;
  if (type.kind == Kind::date) return old_kind == Kind::int_;
  if (type.kind == Kind::uuid) return old_kind == Kind::timeuuid;
  if (type.kind == Kind::varint)
    return old_kind == Kind::int_ || old_kind == Kind::bigint || old_kind == Kind::timestamp;
  if (type.frozen && type.kind == old_kind && previous.frozen && (type.kind == Kind::list || type.kind == Kind::map)) {
    const bool keys = type.kind == Kind::list || is_compatible(type.arguments.front(), previous.arguments.front());
    return keys && is_value_compatible(type.arguments.back(), previous.arguments.back());
  }
  return false;
}

}  // namespace

CqlType resolve_type(const RawType& raw, const Keyspace& keyspace) {
  if (raw.kind == Kind::udt) {
    CqlType type = resolve_user_type(raw, keyspace);
    check_size(type, raw.at);
    return type;
  }
  if (raw.is_collection()) check_collection(raw);
  CqlType type{.kind = raw.kind, .frozen = raw.frozen, .name = raw.class_name, .dimension = raw.dimension};
  for (const RawType& argument : raw.arguments) {
    if (raw.kind == Kind::tuple && argument.kind == Kind::counter)
      refuse_invalid(argument.at, "a tuple cannot hold counters", "Counters are not allowed inside tuples");
    type.arguments.push_back(resolve_type(argument, keyspace));
  }
  if (raw.kind == Kind::vector && raw.dimension <= 0)
    refuse_invalid(raw.at, "a vector needs a dimension of 1 or more",
                   fmt::format("vectors may only have positive dimensions; given {}", raw.dimension));
  check_size(type, raw.at);
  return type;
}

bool references_user_type(const CqlType& type, std::string_view name) {
  return (type.kind == Kind::udt && type.name == name) ||
         std::ranges::any_of(type.arguments, [&](const CqlType& each) { return references_user_type(each, name); });
}

bool references_duration(const CqlType& type) {
  return type.kind == Kind::duration || std::ranges::any_of(type.arguments, references_duration);
}

CqlType without_user_types(CqlType type) {
  for (CqlType& argument : type.arguments) argument = without_user_types(std::move(argument));
  if (type.kind == Kind::udt) type = {.kind = Kind::tuple, .frozen = true, .arguments = std::move(type.arguments)};
  return type;
}

void refresh_user_types(Keyspace& keyspace, std::string_view changed, Span at) {
  UserTypeRefresh(keyspace, changed, at).run();
}

bool is_serialization_compatible(const CqlType& type, const CqlType& previous) {
  if (type.kind == Kind::blob && (previous.is_collection() || previous.kind == Kind::udt)) return false;
  return is_value_compatible(type, previous) && type.fixed_length() == previous.fixed_length() &&
         type.is_multi_cell() == previous.is_multi_cell();
}

}  // namespace windrow
