#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/record/run_record.h"
#include "sim/verdict/verdict.h"

namespace windrow {

/// Tables that belong together in the verdict: the months of one table, or a table by itself.
std::vector<std::span<const TableRecord>> table_families(const RunRecord& record);

/// What a reader calls it: the table of which these are the months, or the table.
const std::string& family_name(std::span<const TableRecord> family);

/// A line for each month's table, and all together.
std::string months_verdict(std::span<const TableRecord> months, const VerdictStyle& style);

}  // namespace windrow
