#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/schema/table.h"

namespace windrow {

/// A user-defined type; its fields as CqlTypes of kind udt carry them too.
struct UserType {
  std::string name{};
  std::vector<std::string> field_names{};
  std::vector<CqlType> field_types{};

  /// As a column's type.
  CqlType type(bool frozen) const;
};

struct Keyspace {
  std::string name{};
  OptionMap replication{};  // with 'class' as its full name
  bool durable_writes = true;
  std::vector<UserType> types{};  // in order of creation, as the three below
  std::vector<Table> tables{};
  std::vector<MaterializedView> views{};

  const Table* find_table(std::string_view name) const;
  Table* find_table(std::string_view name);
  const UserType* find_type(std::string_view name) const;
  const MaterializedView* find_view(std::string_view name) const;
};

/// Everything that CQL's data definition has made so far.
struct Schema {
  std::vector<Keyspace> keyspaces{};
  std::string current_keyspace{};  // of USE; empty: none

  const Keyspace* find_keyspace(std::string_view name) const;
  Keyspace* find_keyspace(std::string_view name);

  /// nullptr if there is none. An empty keyspace means the current one, and then the only table of that name.
  const Table* find_table(std::string_view keyspace, std::string_view table) const;
};

}  // namespace windrow
