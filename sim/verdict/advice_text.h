#pragma once

#include <string>
#include <vector>

#include "sim/record/run_record.h"

namespace windrow {

/// Each broken limit's cause, and the fixes that were run with what came of them; empty without advice.
std::string advice_text(const std::vector<Advice>& advice);

}  // namespace windrow
