#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/keys/column_rule.h"
#include "sim/schema/table.h"

namespace windrow {

/// Bytes of the fields of a user type or tuple.
struct FieldSizes {
  std::vector<std::int32_t> set{};  // of each field that is not null
  int fields = 0;

  /// Of the value as one cell: a length before each field, also of a null (TupleType, Cassandra 5.0).
  std::int64_t frozen_bytes() const;
};

struct FieldMisfit {
  std::string problem{};  // empty: it fits
  std::string accepted{};
};

/// Sizes for the fields that have none of their own, for all fields, or one for all that have none.
FieldMisfit read_field_sizes(const CqlType& type, std::span<const FieldSize> said, FieldSizes& sizes);

/// How the values of a column of this type can be sized, as an example: text(20), list(5, text(10)), for each field of
/// a user type text(10), …
std::string example_value(const CqlType& type);

/// What a column of a primary key may hold, of the forms that need no thought of other columns: those that its type can
/// hold, as they are written: time, unique, each(50, text(20)), 'a constant', blob(16), …
std::vector<std::string> key_forms(const Column& column);

}  // namespace windrow
