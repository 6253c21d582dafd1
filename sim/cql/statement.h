#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/cql/cql_error.h"
#include "sim/schema/table.h"

namespace windrow {

// Statements of data definition as written, before anything is known of the schema (Parser.g, Cassandra 5.0.9).

struct Name {
  std::string text{};  // lower case unless it was quoted
  Span at{};
};

struct QualifiedName {
  std::optional<Name> keyspace{};
  Name name{};
  Span at() const;
};

/// A type as written: names of user types are not resolved yet (CQL3Type.Raw).
struct RawType {
  CqlType::Kind kind = CqlType::Kind::empty;
  bool frozen = false;
  std::vector<RawType> arguments{};
  QualifiedName user_type{};  // of kind udt
  std::string class_name{};   // of kind custom
  int dimension = 0;
  Span at{};

  bool is_collection() const;
  std::string to_string() const;
};

struct MapEntry {
  std::string key{};
  std::string value{};
  Span key_at{};
  Span value_at{};
};

/// name = value, or name = {'key': 'value', …}
struct Property {
  Name name{};
  std::variant<std::string, std::vector<MapEntry>> value{};
  Span value_at{};
};
using Properties = std::vector<Property>;

struct ColumnDefinition {
  Name name{};
  RawType type{};
  bool is_static = false;
  std::optional<Span> mask{};
};

struct ColumnOrder {
  Name column{};
  bool descending = false;
};

struct UseStatement {
  Name keyspace{};
};
struct CreateKeyspace {
  Name name{};
  bool if_not_exists = false;
  Properties properties{};
};
struct AlterKeyspace {
  Name name{};
  bool if_exists = false;
  Properties properties{};
};

struct CreateTable {
  QualifiedName name{};
  bool if_not_exists = false;
  std::vector<ColumnDefinition> columns{};
  bool has_primary_key = false;
  std::vector<Name> partition_key{};
  std::vector<Name> clustering{};
  std::vector<ColumnOrder> clustering_order{};
  bool compact_storage = false;
  Properties properties{};
  Span end{};  // the closing bracket: where a missing key could go
};

struct AddColumns {
  bool if_not_exists = false;
  std::vector<ColumnDefinition> columns{};
};
struct DropColumns {
  bool if_exists = false;
  std::vector<Name> columns{};
};
struct RenameColumns {
  bool if_exists = false;
  std::vector<std::pair<Name, Name>> columns{};
};
struct AlterOptions {
  Properties properties{};
};
struct AlterColumnType {
  Name column{};
};
struct MaskColumn {
  bool if_exists = false;
  Name column{};
  std::optional<Span> mask{};  // none: DROP MASKED
};
struct DropCompactStorage {};

struct AlterTable {
  QualifiedName name{};
  bool if_exists = false;
  std::variant<AddColumns, DropColumns, RenameColumns, AlterOptions, AlterColumnType, MaskColumn, DropCompactStorage>
      action{};
};

struct CreateType {
  QualifiedName name{};
  bool if_not_exists = false;
  std::vector<std::pair<Name, RawType>> fields{};
};

struct AddField {
  bool if_not_exists = false;
  Name name{};
  RawType type{};
};
struct RenameFields {
  bool if_exists = false;
  std::vector<std::pair<Name, Name>> fields{};
};
struct AlterFieldType {};

struct AlterType {
  QualifiedName name{};
  bool if_exists = false;
  std::variant<AddField, RenameFields, AlterFieldType> action{};
};

struct IndexTarget {
  enum class Kind { simple, values, keys, entries, full };
  Kind kind = Kind::simple;
  Name column{};
};

struct CreateIndex {
  bool custom = false;
  bool if_not_exists = false;
  std::optional<Name> name{};
  QualifiedName table{};
  std::vector<IndexTarget> targets{};
  std::optional<Name> class_name{};  // of USING
  Properties properties{};
  Span at{};
};

/// One relation of a view's WHERE.
struct ViewRestriction {
  enum class Kind { not_null, value, token };
  Kind kind = Kind::not_null;
  Name column{};
};

struct CreateView {
  QualifiedName name{};
  bool if_not_exists = false;
  QualifiedName base{};
  bool selects_all = false;
  std::vector<Name> selected{};
  std::vector<ViewRestriction> where{};
  std::vector<Name> partition_key{};
  std::vector<Name> clustering{};
  std::vector<ColumnOrder> clustering_order{};
  Properties properties{};
};
struct AlterView {
  QualifiedName name{};
  bool if_exists = false;
  Properties properties{};
};

/// DROP KEYSPACE, TABLE, TYPE, INDEX or MATERIALIZED VIEW.
struct Drop {
  enum class Kind { keyspace, table, type, index, view };
  Kind kind = Kind::table;
  bool if_exists = false;
  QualifiedName name{};
};

/// A statement that is no definition of data (INSERT, GRANT, CREATE FUNCTION, a command of cqlsh, …): it is passed over
/// unread.
struct OtherStatement {
  std::string first_words{};
  Span at{};
};

using Statement = std::variant<UseStatement, CreateKeyspace, AlterKeyspace, CreateTable, AlterTable, CreateType,
                               AlterType, CreateIndex, CreateView, AlterView, Drop, OtherStatement>;

}  // namespace windrow
