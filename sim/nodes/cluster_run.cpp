#include "sim/nodes/cluster_run.h"

#include <algorithm>
#include <utility>

#include "sim/record/node_runs.h"

namespace windrow {

namespace {

RunRecord run_of(const Scenario& scenario, const Workloads* workloads, const RunIdentity& identity,
                 const RecordOptions& recorded, std::int64_t most_work, const std::function<bool(Micros)>& go_on,
                 std::vector<std::shared_ptr<const LocalRanges>> local_ranges = {}) {
  Recorder recorder(scenario, identity, recorded);
  const RunOptions options{.go_on = [&](Micros now_us) { return recorder.work() <= most_work && go_on(now_us); },
                           .local_ranges = std::move(local_ranges)};
  if (workloads == nullptr) {
    run_node(scenario, recorder, options);
  } else {
    run_node(scenario, *workloads, recorder, options);
  }
  return recorder.take();
}

}  // namespace

RunRecord run_cluster(const Scenario& scenario, const std::shared_ptr<const ClusterLoad>& load,
                      const RunIdentity& identity, const RecordOptions& recorded, const GoOn& go_on,
                      const AtOnce& at_once, std::span<const int> only, std::int64_t most_work) {
  std::vector<std::vector<int>> groups;
  if (load) groups = load->alike_nodes();
  if (groups.size() < 2) {
    return run_of(scenario, nullptr, identity, recorded, most_work, [&](Micros now_us) { return go_on(0, now_us); });
  }
  if (!only.empty()) {
    std::erase_if(groups, [&](const std::vector<int>& group) {
      return std::ranges::none_of(group, [&](int node) { return std::ranges::find(only, node + 1) != only.end(); });
    });
  }
  const std::int64_t work_of_each = most_work / static_cast<std::int64_t>(std::max<std::size_t>(1, groups.size()));
  std::vector<RunRecord> runs(groups.size());
  at_once(groups.size(), [&](std::size_t i) {
    const int node = groups[i].front();
    Workloads workloads;
    for (int table = 0; table < std::ssize(scenario.tables); ++table)
      workloads.push_back(std::make_shared<const TableWorkload>(load->workload(table, node)));
    RunIdentity of_node = identity;
    of_node.node = node + 1;
    for (const int alike : groups[i]) of_node.alike.push_back(alike + 1);
    runs[i] = run_of(
        scenario, &workloads, of_node, recorded, work_of_each, [&](Micros now_us) { return go_on(i, now_us); },
        load->local_ranges(node));
  });
  return joined_runs(std::move(runs));
}

}  // namespace windrow
