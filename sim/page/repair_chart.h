#pragma once

#include <string>
#include <vector>

#include "sim/page/charts.h"

namespace windrow {

/// Repairs, outages, and the deletes that a replica missed on one axis of time: how long gc_grace keeps a delete's
/// tombstones, from when one replica had forgotten it while another still had the rows, and when they came back.
/// Nothing where the run had neither repairs nor outages.
void add_repair_chart(const Facts& summary, const std::vector<std::string>& tables, const ResultTexts& texts,
                      TableCharts& charts);

}  // namespace windrow
