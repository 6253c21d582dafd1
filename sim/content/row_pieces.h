#pragma once

#include <functional>

#include "sim/content/cohort.h"
#include "sim/content/row_format.h"
#include "sim/workload/sub_stream.h"

namespace windrow {

/// Calls `each(body bytes, rows)` for stretches of a whole cohort whose rows have bodies of one size.
/// Deltas are monotone in the row number, so their vint sizes change at a few rows only; values repeat along row numbers.
void each_row_piece(const SubStream& sub, const Cohort& cohort, const RowFormat& format,
                    const std::function<void(std::int64_t body, Rows rows)>& each);

}  // namespace windrow
