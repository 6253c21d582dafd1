#pragma once

#include <span>
#include <vector>

#include "sim/content/census_partitions.h"
#include "sim/content/content.h"
#include "sim/record/run_record.h"
#include "sim/text/sink.h"

namespace windrow {

/// How the first few of `largest`, as they were at `now_us`, have grown: from the first write of their bucket to the
/// last one, at even steps. Bytes are taken in proportion to rows.
std::vector<GrowthPoint> growth_of_largest(const ContentSpace& space, std::span<const LargestPartition> largest,
                                           Micros start_us, Micros now_us);

/// growth.csv: The largest partitions while they grow.
void write_growth(const RunRecord& record, Sink& sink);

}  // namespace windrow
