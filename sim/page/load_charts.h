#pragma once

#include "sim/page/charts.h"

namespace windrow {

/// Which node burns, and when; each node's worst hour; where one partition is most of it. Nothing where the run has no
/// load.csv.
void add_load_charts(const Facts& summary, const ResultTexts& texts, TableCharts& charts);

}  // namespace windrow
