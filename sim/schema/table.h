#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/schema/table_options.h"
#include "sim/schema/type.h"

namespace windrow {

struct Column {
  enum class Kind { partition_key, clustering, static_, regular };
  enum class Order { none, asc, desc };  // none: not a clustering column
  std::string name{};
  CqlType type{};
  Kind kind = Kind::regular;
  int position = -1;  // in the partition key or among the clustering columns; -1 elsewhere
  Order order = Order::none;
};

/// "partition_key" and so on, as system_schema.columns has it.
const char* kind_name(Column::Kind kind);

struct DroppedColumn {
  std::string name{};
  CqlType type{};
  Column::Kind kind = Column::Kind::regular;
};

struct Index {
  enum class Kind { composites, keys, custom };
  std::string name{};
  Kind kind = Kind::composites;
  std::string target{};      // "temperature", "values(tags)", "entries(m)"
  std::string class_name{};  // of a custom index, as written: "sai", "StorageAttachedIndex"
  OptionMap options{};       // WITH OPTIONS, without class and target

  /// Storage-attached: the class is SAI by any of its names.
  bool is_sai() const;
};

/// A materialized view is kept for the schema's sake: names stay taken, columns stay referenced.
struct MaterializedView {
  std::string name{};
  std::string base_table{};
  bool selects_all = false;  // SELECT *: columns added to the base table come along
  std::vector<Column> columns{};
  TableOptions options{};
};

struct Table {
  std::string keyspace{};
  std::string name{};
  std::optional<std::string> id{};  // given by WITH ID
  // Partition key and clustering in key order, then static, then regular columns; within the last two simple columns
  // come before complex ones, each group by name bytes: the order of storage rule 1.6 and of DESCRIBE.
  std::vector<Column> columns{};
  TableOptions options{};
  std::vector<Index> indexes{};  // by name
  std::vector<DroppedColumn> dropped_columns{};
  bool compact_storage = false;

  std::span<const Column> partition_key() const { return of_kind(Column::Kind::partition_key); }
  std::span<const Column> clustering() const { return of_kind(Column::Kind::clustering); }
  std::span<const Column> static_columns() const { return of_kind(Column::Kind::static_); }
  std::span<const Column> regular_columns() const { return of_kind(Column::Kind::regular); }
  bool is_counter() const;

  /// nullptr if there is none; `name` as stored, without quotes.
  const Column* find_column(std::string_view name) const;

  /// Takes further columns to their places.
  void add_columns(std::vector<Column> added);
  /// Brings `columns` into their order; columns of the key keep their positions.
  void sort_columns();

 private:
  std::span<const Column> of_kind(Column::Kind kind) const;
};

}  // namespace windrow
