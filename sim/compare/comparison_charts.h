#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/compare/compared_facts.h"
#include "sim/page/charts.h"

namespace windrow {

/// One panel a choice, so many `across` where there is room, the axes shared: the charts of one group of compared
/// tables, from the comparison's timeline. Charts without data are not among them.
TableCharts comparison_charts(const ComparedFacts& facts, std::size_t group, const ResultText& timeline_csv,
                              std::size_t across);

}  // namespace windrow
