#include "sim/bytes/schema_shape.h"

#include <algorithm>
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

ColumnNames names_of(const Table& table, std::span<const Column> columns) {
  std::vector<Bytes> bytes;
  for (const Column& column : columns) bytes.push_back(column_name_bytes(table, column));
  return ColumnNames(std::move(bytes));
}

}  // namespace

ColumnNames::ColumnNames(std::vector<Bytes> bytes) : each(std::move(bytes)) {
  for (int column = 0; column < std::min<int>(ColumnSet::most, static_cast<int>(each.size())); ++column)
    all.add(column);
  of_all = sum_of(all);
}

Bytes ColumnNames::sum_of(const ColumnSet& columns) const {
  Bytes bytes = 0;
  columns.each([&](int column) {
    const auto place = static_cast<std::size_t>(column);
    if (place < each.size()) bytes += each[place];
  });
  return bytes;
}

SchemaShape schema_shape(const Table& table) {
  SchemaShape shape{.clustering_type_name_bytes = clustering_type_name_bytes(table),
                    .clustering_columns = static_cast<int>(table.clustering().size()),
                    .flushed = compression_shape(table.options, true),
                    .compacted = compression_shape(table.options, false)};
  shape.type_name_bytes = key_type_name_bytes(table) + shape.clustering_type_name_bytes;
  shape.regular_names = names_of(table, table.regular_columns());
  shape.static_names = names_of(table, table.static_columns());
  return shape;
}

}  // namespace windrow
