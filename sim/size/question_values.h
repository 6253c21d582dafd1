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
/// The bucket that a column's name speaks of; a day, if it does not say.
std::string named_bucket(const Column& column);

}  // namespace windrow
