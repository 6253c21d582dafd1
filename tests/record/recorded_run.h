#pragma once

#include "sim/record/recorder.h"

namespace windrow::test {

/// What a recorder keeps of a run of one node.
inline RunRecord recorded(const Scenario& scenario, const Recorder::Options& options = {}) {
  Recorder recorder(scenario, {.version = "0.1", .scenario_hash = "00", .node = 1}, options);
  run_node(scenario, recorder, {});
  return recorder.take();
}

}  // namespace windrow::test
