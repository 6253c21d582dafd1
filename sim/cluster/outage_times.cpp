#include <algorithm>

#include "sim/cluster/cluster.h"
#include "sim/scenario/node_count.h"

// What a scenario says of its faults, before it is played.

namespace windrow {

bool has_faults(const Scenario& scenario) {
  return !scenario.outages.empty() || !scenario.repairs.empty() || scenario.node.lost_mutations_ppm > 0;
}

std::vector<OutageTime> outage_times(const Scenario& scenario) {
  std::vector<OutageTime> times;
  for (const OutageSpec& outage : scenario.outages) {
    const OutageTime time{.name = outage.name,
                          .node = outage.node - 1,
                          .from_us = outage.from_us,
                          .to_us = outage.from_us + outage.length_us,
                          .kind = outage.kind,
                          .ends = outage.ends};
    const auto before = std::ranges::find_if(
        times, [&](const OutageTime& other) { return other.node == time.node && other.to_us >= time.from_us; });
    if (before == times.end()) {
      times.push_back(time);
      continue;
    }
    before->to_us = std::max(before->to_us, time.to_us);
    before->joined = true;
    if (time.kind == OutageSpec::Kind::down) before->kind = OutageSpec::Kind::down;
    if (time.ends == OutageSpec::Ends::replaced) before->ends = OutageSpec::Ends::replaced;
  }
  return times;
}

int recorded_node(const Scenario& scenario) {
  const int nodes = node_count(scenario.data_centers);
  for (int node = 0; node < nodes; ++node) {
    if (std::ranges::find(scenario.outages, node + 1, &OutageSpec::node) == scenario.outages.end()) return node;
  }
  return 0;
}

}  // namespace windrow
