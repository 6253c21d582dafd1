#pragma once

#include <string>
#include <string_view>

#include "sim/schema/type.h"

namespace windrow {

/// Order of two serialized values: AbstractType.compare of the type's class, Cassandra 5.0. Negative, 0 or positive; an
/// empty value comes first. DESC is the caller's.
int compare_cql_values(const CqlType& type, std::string_view a, std::string_view b);

/// AbstractType.asComparableBytes of a clustering value: bytes whose order is that of the values (OSS50). Exact for
/// scalars of fixed length, text and blobs, approximate in length for the others.
std::string byte_comparable(const CqlType& type, std::string_view value);

}  // namespace windrow
