#pragma once

#include <vector>

#include "sim/bytes/compression_shape.h"
#include "sim/schema/column_set.h"
#include "sim/schema/table.h"

namespace windrow {

/// Of columns of one kind, the bytes that their names and types take.
struct ColumnNames {
  std::vector<Bytes> each{};
  ColumnSet all{};
  Bytes of_all = 0;

  explicit ColumnNames(std::vector<Bytes> bytes = {});
  Bytes of(const ColumnSet& columns) const { return each.empty() || columns == all ? of_all : sum_of(columns); }

 private:
  Bytes sum_of(const ColumnSet& columns) const;
};

/// What a table's SSTables repeat of its schema, as it takes room in files beside Data.db.
struct SchemaShape {
  Bytes type_name_bytes = 0;             // as StatisticsShape has them, but for static and regular columns
  Bytes clustering_type_name_bytes = 0;  // the same
  ColumnNames regular_names{};
  ColumnNames static_names{};
  int clustering_columns = 0;
  CompressionShape flushed{};
  CompressionShape compacted{};

  /// Names and types of the columns that a header has.
  Bytes name_bytes(const ColumnSet& regular, const ColumnSet& statics) const {
    return regular_names.of(regular) + static_names.of(statics);
  }
};
SchemaShape schema_shape(const Table& table);

/// Names of types in the header of an SSTable.
Bytes key_type_name_bytes(const Table& table);
Bytes clustering_type_name_bytes(const Table& table);
/// A static or regular column: its name and its type.
Bytes column_name_bytes(const Table& table, const Column& column);

}  // namespace windrow
