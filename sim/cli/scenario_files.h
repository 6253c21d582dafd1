#pragma once

#include <string>

#include "sim/resolve/input_files.h"

namespace windrow {

/// Files by their path beside the scenario; where there is none, a zone of the machine's tz database (Europe/Berlin) as
/// a CSV file of its clock's changes: from, offset.
ReadFile files_beside(const std::string& scenario);

}  // namespace windrow
