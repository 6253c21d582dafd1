#pragma once

#include <string>
#include <vector>

#include "sim/schema/table.h"

namespace windrow {

/// How the values of a column of this type can be sized, as an example: text(20), list(5, text(10)), list(5) of
/// numbers, udt(text(20), blob(100)).
std::string example_value(const CqlType& type);

/// What a column of a primary key may hold, of the forms that need no thought of other columns: those that its type can
/// hold, as they are written: time, unique, each(50, text(20)), 'a constant', blob(16), …
std::vector<std::string> key_forms(const Column& column);

}  // namespace windrow
