#pragma once

#include <string>

#include "sim/keys/column_rule.h"
#include "sim/schema/table.h"

namespace windrow {

// Values of a question, in the words of the scenario language; what cannot be read is a SizeError that names the
// option.

/// --bucket
BucketName read_bucket(const std::string& text);
/// --column NAME=RULE
ColumnRule read_rule(const std::string& column, const std::string& text);
/// A bucket of the length that a column's name speaks of; a day, if it does not say.
std::string named_bucket(Seconds length_s);

}  // namespace windrow
