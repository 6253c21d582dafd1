#pragma once

#include <vector>

#include "sim/keys/scenario_text.h"
#include "sim/scenario/scenario.h"

namespace windrow {

std::vector<ActionSpec> resolve_actions(const ScenarioText& text, const Scenario& scenario);
std::vector<ReadSpec> resolve_reads(const ScenarioText& text, const Scenario& scenario);
std::vector<RepairSpec> resolve_repairs(const ScenarioText& text, const Scenario& scenario);
std::vector<OutageSpec> resolve_outages(const ScenarioText& text, const Scenario& scenario);
std::vector<LimitSpec> resolve_limits(const ScenarioText& text, const Scenario& scenario);

}  // namespace windrow
