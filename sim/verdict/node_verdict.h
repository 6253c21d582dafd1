#pragma once

#include <string>

#include "sim/record/run_record.h"

namespace windrow {

/// Which node burns, when, and why; how well that is known. Of a record with a load.
std::string nodes_verdict(const RunRecord& record);

}  // namespace windrow
