#pragma once

#include <nlohmann/json.hpp>

#include "sim/schema/table.h"

namespace windrow {

/// The table of a recording, from its `types` and `ddl`.
Table captured_table(const nlohmann::json& recording);

}  // namespace windrow
