#include "sim/results/node_limit.h"

#include <algorithm>

#include "sim/load/cluster_load.h"

namespace windrow {

std::optional<double> node_max_over_mean(const RunRecord& record) {
  if (!record.load) return std::nullopt;
  double most = 0;
  for (int node = 0; node < record.load->nodes(); ++node)
    most = std::max(most, record.load->numbers(node).max_over_mean);
  return most;
}

void judge_load(RunRecord& record) {
  const ClusterLoad& load = *record.load;
  for (LimitOutcome& limit : record.limits) {
    if (limit.name != limit_row("node_max_over_mean").key) continue;
    limit.measured = true;
    for (int hour = 0; hour < load.hours().count(); ++hour) {
      for (int node = 0; node < load.nodes(); ++node) {
        const double over = load.over_mean(hour, node).value_or(0);
        limit.value = std::max(limit.value, over);
        if (over > limit.bound && !limit.first_breach_us) limit.first_breach_us = load.hours().begin_us(hour);
      }
    }
  }
}

}  // namespace windrow
