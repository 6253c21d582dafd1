#include "sim/bytes/schema_shape.h"

#include <span>
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

namespace {

using NameBytes = std::shared_ptr<const std::vector<Bytes>>;

NameBytes name_bytes_of(const Table& table, std::span<const Column> columns) {
  std::vector<Bytes> bytes;
  for (const Column& column : columns) bytes.push_back(column_name_bytes(table, column));
  return std::make_shared<const std::vector<Bytes>>(std::move(bytes));
}

Bytes bytes_of(const NameBytes& names, const ColumnSet& columns) {
  Bytes bytes = 0;
  if (names == nullptr) return bytes;
  columns.each([&](int column) {
    const auto place = static_cast<std::size_t>(column);
    if (place < names->size()) bytes += (*names)[place];
  });
  return bytes;
}

}  // namespace

Bytes SchemaShape::name_bytes(const ColumnSet& regular, const ColumnSet& statics) const {
  return bytes_of(regular_name_bytes, regular) + bytes_of(static_name_bytes, statics);
}

SchemaShape schema_shape(const Table& table) {
  SchemaShape shape{.clustering_type_name_bytes = clustering_type_name_bytes(table),
                    .clustering_columns = static_cast<int>(table.clustering().size()),
                    .flushed = compression_shape(table.options, true),
                    .compacted = compression_shape(table.options, false)};
  shape.type_name_bytes = key_type_name_bytes(table) + shape.clustering_type_name_bytes;
  shape.regular_name_bytes = name_bytes_of(table, table.regular_columns());
  shape.static_name_bytes = name_bytes_of(table, table.static_columns());
  return shape;
}

}  // namespace windrow
