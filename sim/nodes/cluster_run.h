#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "sim/base/at_once.h"
#include "sim/engine/node.h"
#include "sim/load/cluster_load.h"
#include "sim/record/recorder.h"

namespace windrow {

/// Called as each run goes on, from its own thread: the run's number, and its time. False: it should end.
using GoOn = std::function<bool(std::size_t run, Micros now_us)>;

/// Runs a scenario: every node that differs from the others by itself, equal ones once. The record is the fullest
/// node's (joined_runs). `load` is of the scenario; null: it names no data centres, and one of several like nodes runs.
/// `only`: of these nodes alone, from 1; empty: of all. A run whose share of `most_work` (Recorder::work) is used up
/// ends early. Throws what run_node throws.
RunRecord run_cluster(const Scenario& scenario, const std::shared_ptr<const ClusterLoad>& load,
                      const RunIdentity& identity, const RecordOptions& recorded, const GoOn& go_on,
                      const AtOnce& at_once, std::span<const int> only = {}, std::int64_t most_work = INT64_MAX);

}  // namespace windrow
