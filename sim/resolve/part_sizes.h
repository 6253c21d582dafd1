#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/keys/column_rule.h"
#include "sim/schema/type.h"

namespace windrow {

// Sizes of values that have parts: what a scenario says of them, beside the type. What has a size of its own (a double,
// a tuple of two ints) need not be said.

inline bool has_fields(const CqlType& type) {
  return type.kind == CqlType::Kind::udt || type.kind == CqlType::Kind::tuple;
}

/// Bytes of the fields of a user type or tuple.
struct FieldSizes {
  std::vector<std::int32_t> set{};  // of each field that is not null
  int fields = 0;

  /// Of the value as one cell: a length before each field, also of a null (TupleType, Cassandra 5.0).
  std::int64_t frozen_bytes() const;
};

/// Bytes of the elements of a collection that is not frozen.
struct ElementSizes {
  Distribution path{};   // a set's element, a map's key, a list's timeuuid
  Distribution value{};  // nothing in a set
};

struct PartMisfit {
  std::string problem{};  // empty: it fits
  std::string accepted{};
};

/// Sizes for the fields that have none of their own, for all fields, or one for all that have none.
PartMisfit read_field_sizes(const CqlType& type, std::span<const PartSize> said, FieldSizes& sizes);

/// The same of a collection's elements, by a rule such as set(5, text(10)) or map(5, text(8)).
PartMisfit read_element_sizes(const CqlType& type, const ColumnRule& rule, ElementSizes& sizes);

/// Bytes of a frozen value with parts, by set(…), list(…), map(…) or udt(…).
PartMisfit read_frozen_bytes(const CqlType& type, const ColumnRule& rule, std::int64_t& bytes);

}  // namespace windrow
