#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "sim/base/at_once.h"
#include "sim/cluster/fault_record.h"
#include "sim/engine/node.h"

namespace windrow {

/// True if the scenario has outages or repairs: then its nodes are told apart.
bool has_faults(const Scenario& scenario);

/// The scenario's outages in order of time, those of one node that overlap or touch joined.
std::vector<OutageTime> outage_times(const Scenario& scenario);

/// The node that is watched as the one of a run: the first that is never away, else the first.
int recorded_node(const Scenario& scenario);

/// Plays all nodes of a scenario, each with the rows that the ring gives it, from start to end: outages, hints,
/// repairs, and the ledger of what they did. `observer` watches one node (recorded_node). Refuses what is not modelled
/// with std::invalid_argument, before anything happens. Ends early where options.go_on says so. Between two instants at
/// which they are changed from outside nodes are independent: `at_once` may play them side by side.
///
/// A repair hashes all ranges when it begins and streams what differs, row by row, when it ends: rows of a partition
/// or leaf that are alike are not sent along. A node that shares a range with one that is away refuses it, or fails.
/// Hints of all coordinators are one queue, which arrives at once when it has been sent. Reads repair once a sample.
FaultRecord play_cluster(const Scenario& scenario, RunObserver& observer, const RunOptions& options,
                         const AtOnce& at_once = in_turn);
/// The same, with an observer for each node; null: nobody.
FaultRecord play_cluster(const Scenario& scenario, std::span<RunObserver* const> observers, const RunOptions& options,
                         const AtOnce& at_once = in_turn);

}  // namespace windrow
