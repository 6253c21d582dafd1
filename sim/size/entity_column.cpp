#include "sim/size/entity_column.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "sim/size/key_roles.h"
#include "sim/size/span_names.h"

namespace windrow {

namespace {

using Kind = CqlType::Kind;

/// 2: says which one it is; 0: says of which group or kind.
int identity(const Column& column) {
  static constexpr std::array groups{"tenant",  "customer", "org",     "organization", "site", "cluster",  "domain",
                                     "context", "app",      "project", "kind",         "type", "namespace"};
  static constexpr std::array one{"id",       "uuid", "guid",    "device", "sensor", "host",  "node",
                                  "resource", "user", "account", "symbol", "metric", "series"};
  const std::vector<std::string> words = words_of_name(column.name);
  const auto has = [&](const auto& names) {
    return std::ranges::any_of(words,
                               [&](const std::string& word) { return std::ranges::find(names, word) != names.end(); });
  };
  if (has(groups)) return 0;
  return column.type.kind == Kind::uuid || column.type.kind == Kind::timeuuid || has(one) ? 2 : 1;
}

}  // namespace

bool can_be_entity(const CqlType& type) {
  return type.kind == Kind::text || type.kind == Kind::ascii || type.kind == Kind::uuid ||
         type.kind == Kind::timeuuid || type.kind == Kind::bigint || type.kind == Kind::int_ ||
         type.kind == Kind::smallint || type.kind == Kind::varint || type.kind == Kind::inet || type.kind == Kind::blob;
}

std::optional<std::size_t> entity_place(const Table& table) {
  const std::vector<KeyRole> roles = partition_key_roles(table);
  const auto key = table.partition_key();
  std::optional<std::size_t> place;
  for (std::size_t i = 0; i < key.size(); ++i) {
    if (roles[i] != KeyRole::entity || !can_be_entity(key[i].type)) continue;
    if (!place || identity(key[i]) > identity(key[*place])) place = i;
  }
  return place;
}

}  // namespace windrow
