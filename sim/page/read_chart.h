#pragma once

#include <string>
#include <vector>

#include "sim/page/charts.h"

namespace windrow {

/// What each kind of read costs over time: SSTables and tombstones of a read of one partition. Nothing where the run
/// has no reads.
void add_read_charts(const Facts& summary, const std::vector<std::string>& tables, const ResultTexts& texts,
                     TableCharts& charts);

}  // namespace windrow
