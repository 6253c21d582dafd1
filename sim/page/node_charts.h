#pragma once

#include <string>
#include <vector>

#include "sim/page/charts.h"

namespace windrow {

/// Charts of the node as a whole, in a section of their own before the tables': its disk, where several tables or other
/// data share it. What else concerns a node (its busiest hours, its repairs) joins them here: a chart that is absent
/// without rows in its file.
TableCharts node_charts(const Facts& summary, const std::vector<std::string>& tables, const ResultTexts& texts);

/// Lines of the disk's size, of what other data leaves of it, and of the limit, for a chart that goes up to `largest`
/// bytes.
nlohmann::json disk_size_lines(const Facts& summary, double largest, bool whole_node);

}  // namespace windrow
