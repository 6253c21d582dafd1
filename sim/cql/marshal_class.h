#pragma once

#include <optional>
#include <string_view>

#include "sim/cql/statement.h"

namespace windrow {

/// A type written as its class in the engine: 'UTF8Type', 'org.apache.cassandra.db.marshal.ListType(Int32Type)'.
/// Classes without a CQL type of their own (CompositeType(…), DynamicCompositeType(…), …) become kind custom.
/// nullopt if the engine has no such class (TypeParser, Cassandra 5.0.9).
std::optional<RawType> parse_marshal_class(std::string_view text);

}  // namespace windrow
