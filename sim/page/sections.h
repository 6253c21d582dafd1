#pragma once

#include <string>
#include <vector>

#include "sim/page/charts.h"
#include "sim/page/facts.h"

namespace windrow {

// The page's parts, as HTML, in their order.

/// Title, the scenario in a sentence, its hash, and what disk figures are worth.
std::string head_section(const Facts& summary, const std::vector<std::string>& tables);
std::string understood_section(const Facts& summary, const std::vector<std::string>& tables);
/// Each limit with value, bound, margin, date of its first breach and the knob that moves it.
std::string verdict_section(const Facts& summary);
std::string findings_section(const Facts& summary, const std::vector<std::string>& tables);
std::string charts_section(const std::string& table, std::size_t number, const std::vector<Chart>& charts);
/// The same for the node; nothing if it has no charts.
std::string node_section(std::size_t number, const std::vector<Chart>& charts);
/// The id of the element that a chart is drawn in.
std::string chart_place(std::size_t table, const Chart& chart);
/// Puts a table's charts and their data into what page.js draws: `tables` and `charts` of `data`.
void add_charts(nlohmann::json& data, std::size_t table, TableCharts charts);
std::string incidents_section(const Facts& summary);
std::string scenario_section(const std::string& scenario_ini);
std::string left_out_section();

}  // namespace windrow
