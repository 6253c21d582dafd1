#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "sim/page/csv_columns.h"

namespace windrow {

// Rows for the eye: each that stays is a row of the file, unless it says that it sums up.

/// At most about `most` rows of a timeline: of neighbours the one with the highest disk, and one that measured
/// partitions. The first and the last stay.
void thin_timeline(CsvColumns& timeline, std::size_t most);

/// At most about `most` rows, evenly taken; the first and the last stay.
void thin_evenly(CsvColumns& columns, std::size_t most);

/// SSTables that are there at the end; those that are blocked or block others first, then the largest, `most` of them,
/// by oldest write. True if others were left out.
bool keep_sstables_at_end(CsvColumns& sstables, std::size_t most);

/// Sums compactions of a reason that end in the same hour, day, week or month, whichever keeps it below `most` steps.
/// Returns Vega-Lite's name of that unit.
std::string sum_compactions(CsvColumns& compactions, std::size_t most);

/// Sums neighbouring time windows and times up, so that there are at most `most` of each.
/// Returns how many seconds a row of windows stands for.
std::int64_t sum_windows(CsvColumns& windows, std::size_t most, std::int64_t window_s);

/// Sums tombstones of neighbouring days up. Returns how many seconds a row stands for.
std::int64_t sum_drop_dates(CsvColumns& tombstones, std::size_t most);

}  // namespace windrow
