#include "sim/bytes/schema_shape.h"

#include <utility>

#include "sim/bytes/marshal_name.h"

namespace windrow {

Bytes key_type_name_bytes(const Table& table) {
  std::vector<CqlType> types;
  for (const Column& column : table.partition_key()) types.push_back(column.type);
  return std::ssize(key_marshal_name(types, table.keyspace));
}

Bytes clustering_type_name_bytes(const Table& table) {
  Bytes bytes = 0;
  for (const Column& column : table.clustering()) {
    const bool reversed = column.order == Column::Order::desc;
    bytes += std::ssize(reversed ? reversed_marshal_name(column.type, table.keyspace)
                                 : marshal_name(column.type, table.keyspace));
  }
  return bytes;
}

Bytes column_name_bytes(const Table& table, const Column& column) {
  return std::ssize(column.name) + 2 + std::ssize(marshal_name(column.type, table.keyspace));
}

Bytes SchemaShape::name_bytes(const ColumnSet& columns) const {
  Bytes bytes = 0;
  if (regular_name_bytes == nullptr) return bytes;
  columns.each([&](int column) {
    const auto place = static_cast<std::size_t>(column);
    if (place < regular_name_bytes->size()) bytes += (*regular_name_bytes)[place];
  });
  return bytes;
}

SchemaShape schema_shape(const Table& table) {
  SchemaShape shape{.clustering_type_name_bytes = clustering_type_name_bytes(table),
                    .clustering_columns = static_cast<int>(table.clustering().size()),
                    .flushed = compression_shape(table.options, true),
                    .compacted = compression_shape(table.options, false)};
  shape.type_name_bytes = key_type_name_bytes(table) + shape.clustering_type_name_bytes;
  for (const Column& column : table.static_columns()) shape.type_name_bytes += column_name_bytes(table, column);
  std::vector<Bytes> regular;
  for (const Column& column : table.regular_columns()) regular.push_back(column_name_bytes(table, column));
  shape.regular_name_bytes = std::make_shared<const std::vector<Bytes>>(std::move(regular));
  return shape;
}

}  // namespace windrow
