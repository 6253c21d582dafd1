#pragma once

#include <memory>

#include "sim/keys/scenario_text.h"
#include "sim/resolve/input_files.h"
#include "sim/scenario/cluster_ring.h"
#include "sim/scenario/scenario.h"
#include "sim/schema/schema.h"

namespace windrow {

/// The nodes of the scenario's data centres with their tokens, given, allocated or at random; nothing if the scenario
/// names no data centre. What cannot be is a ScenarioError.
std::shared_ptr<const ClusterRing> resolve_ring(const ScenarioText& text, const Schema& schema,
                                                const Scenario& scenario, InputFiles& files);

}  // namespace windrow
