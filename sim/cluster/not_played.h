#pragma once

#include "sim/engine/node.h"

namespace windrow {

/// Refuses (std::invalid_argument) tables that nodes with faults cannot share. `all_alike`: every node holds every row,
/// and each repair is of all of them.
void refuse_what_is_not_played(const Workloads& workloads, const Scenario& scenario, bool all_alike);

}  // namespace windrow
