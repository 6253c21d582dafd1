#pragma once

#include <memory>
#include <vector>

#include "sim/bytes/compression_shape.h"
#include "sim/schema/column_set.h"
#include "sim/schema/table.h"

namespace windrow {

/// What a table's SSTables repeat of its schema, as it takes room in files beside Data.db.
struct SchemaShape {
  Bytes type_name_bytes = 0;             // as StatisticsShape has them, but for static and regular columns
  Bytes clustering_type_name_bytes = 0;  // the same
  std::shared_ptr<const std::vector<Bytes>> regular_name_bytes{};  // of each regular column; null: there is none
  std::shared_ptr<const std::vector<Bytes>> static_name_bytes{};   // the same of static columns
  int clustering_columns = 0;
  CompressionShape flushed{};
  CompressionShape compacted{};

  /// Names and types of the columns that a header has.
  Bytes name_bytes(const ColumnSet& regular, const ColumnSet& statics) const;
};
SchemaShape schema_shape(const Table& table);

/// Names of types in the header of an SSTable.
Bytes key_type_name_bytes(const Table& table);
Bytes clustering_type_name_bytes(const Table& table);
/// A static or regular column: its name and its type.
Bytes column_name_bytes(const Table& table, const Column& column);

}  // namespace windrow
