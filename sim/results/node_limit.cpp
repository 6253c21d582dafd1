#include "sim/results/node_limit.h"

#include <algorithm>

#include "sim/load/cluster_load.h"
#include "sim/record/node_runs.h"

namespace windrow {

std::optional<double> node_max_over_mean(const RunRecord& record) {
  if (!record.load) return std::nullopt;
  double most = 0;
  for (int node = 0; node < record.load->nodes(); ++node)
    most = std::max(most, record.load->numbers(node).max_over_mean);
  return most;
}

std::optional<double> disk_over_mean(const RunRecord& record) {
  if (record.others.empty()) return std::nullopt;
  const double mean = node_mean(record, [](const RunRecord& run) { return run.disk.value; });
  if (mean <= 0) return std::nullopt;
  return record.disk.value / mean;
}

void judge_load(RunRecord& record) {
  const ClusterLoad& load = *record.load;
  for (LimitOutcome& limit : record.limits) {
    if (limit.name != limit_row("node_max_over_mean").key) continue;
    limit.measured = true;
    limit.node = 0;
    Micros broken_us = 0;
    for (int hour = 0; hour < load.hours().count(); ++hour) {
      double most = 0;
      for (int node = 0; node < load.nodes(); ++node) most = std::max(most, load.over_mean(hour, node).value_or(0));
      if (most > limit.value) limit.worst_us = load.hours().begin_us(hour);
      limit.value = std::max(limit.value, most);
      limit.end_value = most;
      if (most <= limit.bound) continue;
      if (!limit.first_breach_us) limit.first_breach_us = load.hours().begin_us(hour);
      broken_us += 3'600 * us_per_s;
    }
    if (limit.first_breach_us)
      limit.broken_for_us = std::min(broken_us, record.scenario->end_us - record.scenario->start_us);
  }
}

}  // namespace windrow
