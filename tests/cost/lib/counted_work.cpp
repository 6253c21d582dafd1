#include "tests/cost/lib/counted_work.h"

#include <memory>

#include "sim/cluster/cluster.h"
#include "sim/load/cluster_load.h"
#include "sim/nodes/cluster_run.h"

namespace windrow {

Work counted_work(const Scenario& scenario) {
  if (has_faults(scenario)) {
    Recorder recorder(scenario, {}, {});
    const FaultRecord faults = play_cluster(scenario, recorder, {});
    return recorder.done() * faults.nodes;
  }
  std::shared_ptr<const ClusterLoad> load;
  if (scenario.ring) load = std::make_shared<const ClusterLoad>(scenario);
  return run_cluster(
             scenario, load, {}, {}, [](std::size_t, Micros) { return true; }, in_turn)
      .done;
}

}  // namespace windrow
