#include "sim/schema/schema.h"

#include <algorithm>

namespace windrow {

namespace {

template <class Range>
auto* named(Range& range, std::string_view name) {
  const auto found = std::ranges::find_if(range, [&](const auto& item) { return item.name == name; });
  return found == range.end() ? nullptr : &*found;
}

}  // namespace

CqlType UserType::type(bool frozen) const {
  return {
      .kind = CqlType::Kind::udt, .frozen = frozen, .arguments = field_types, .field_names = field_names, .name = name};
}

const Table* Keyspace::find_table(std::string_view name_sought) const { return named(tables, name_sought); }
Table* Keyspace::find_table(std::string_view name_sought) { return named(tables, name_sought); }
const UserType* Keyspace::find_type(std::string_view name_sought) const { return named(types, name_sought); }
const MaterializedView* Keyspace::find_view(std::string_view name_sought) const { return named(views, name_sought); }

const Keyspace* Schema::find_keyspace(std::string_view name) const { return named(keyspaces, name); }
Keyspace* Schema::find_keyspace(std::string_view name) { return named(keyspaces, name); }

const Table* Schema::find_table(std::string_view keyspace, std::string_view table) const {
  const Keyspace* only = find_keyspace(keyspace.empty() ? std::string_view(current_keyspace) : keyspace);
  if (only != nullptr) {
    const Table* found = only->find_table(table);
    if (found != nullptr || !keyspace.empty()) return found;
  }
  if (!keyspace.empty()) return nullptr;
  const Table* match = nullptr;
  for (const Keyspace& candidate : keyspaces) {
    const Table* found = candidate.find_table(table);
    if (found == nullptr) continue;
    if (match != nullptr) return nullptr;
    match = found;
  }
  return match;
}

}  // namespace windrow
