#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/schema/type.h"

namespace windrow {

/// AbstractType.toString, as headers and statistics of SSTables name types. `keyspace` is part of a user type's name.
std::string marshal_name(const CqlType& type, std::string_view keyspace);

/// The same for a DESC clustering column.
std::string reversed_marshal_name(const CqlType& type, std::string_view keyspace);

/// Type of a partition key: of its one component, or CompositeType of several.
std::string key_marshal_name(const std::vector<CqlType>& components, std::string_view keyspace);

}  // namespace windrow
