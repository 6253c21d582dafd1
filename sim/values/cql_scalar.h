#pragma once

#include <string>
#include <string_view>

#include "sim/schema/type.h"

namespace windrow {

/// Serialized value of a constant of a type that is not composed of others. `quoted`: it stood in single quotes.
/// Throws CqlValueError.
std::string cql_scalar(CqlType::Kind kind, std::string_view text, bool quoted);

}  // namespace windrow
