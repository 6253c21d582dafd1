#pragma once

#include <string>

#include "sim/record/run_record.h"
#include "sim/results/live_growth.h"
#include "sim/verdict/verdict.h"

namespace windrow {

/// The headline numbers of one table, a line each, and its sparks.
std::string table_verdict(const TableRecord& table, const LiveGrowth& growth, const VerdictStyle& style);

}  // namespace windrow
