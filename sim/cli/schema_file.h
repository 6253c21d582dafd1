#pragma once

#include <string>

namespace windrow {

/// The text of a CQL file; UserError if it cannot be read, or is named as a scenario is.
std::string read_schema_file(const std::string& file);

}  // namespace windrow
