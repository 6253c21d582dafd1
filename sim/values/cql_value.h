#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/schema/type.h"
#include "sim/values/cql_literal.h"

namespace windrow {

/// Serialized value of a literal, as AbstractType.decompose of its class (storage rules 1.10, 3.2); none: null.
/// Throws CqlValueError if the literal is none of the type.
std::optional<std::string> cql_value(const CqlType& type, const CqlLiteral& literal);
std::optional<std::string> cql_value(const CqlType& type, std::string_view literal);

/// A cell of a non-frozen collection or user type: CellPath and value; fields that are null have none.
struct ComplexCellValue {
  std::string path{};
  std::string value{};
};
/// Cells of a whole value, in the order of the literal. Elements of a list get paths from `next_list_path` on: 16 bytes
/// that stand for the timeuuid a node would choose.
std::vector<ComplexCellValue> complex_cells(const CqlType& type, const CqlLiteral& literal,
                                            std::uint64_t& next_list_path);

/// Path of one map key, set element or user type's field.
std::string field_path(const CqlType& type, std::string_view field);

/// Appends one of several components of a partition key, as CompositeType writes it: its length in two bytes, the
/// value, which `put` appends to the key, and a zero.
template <class Put>
void put_key_component(std::string& key, const Put& put) {
  const std::size_t at = key.size();
  key.resize(at + 2);
  put(key);
  const std::size_t length = key.size() - at - 2;
  key[at] = static_cast<char>(static_cast<unsigned char>(length >> 8));
  key[at + 1] = static_cast<char>(static_cast<unsigned char>(length));
  key += '\0';
}

/// Partition key of one component's value, or of several (CompositeType).
std::string partition_key(const std::vector<std::string>& components);

/// Bytes of a counter cell: the header and `shards` contexts of id, clock and count.
constexpr std::int64_t counter_value_bytes(std::int64_t shards) { return 2 + shards * (2 + 32); }

}  // namespace windrow
