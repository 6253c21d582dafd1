#pragma once

#include "sim/engine/node.h"

namespace windrow {

/// Refuses (std::invalid_argument) tables that nodes with faults cannot share.
void refuse_what_is_not_played(const Workloads& workloads, const Scenario& scenario);

}  // namespace windrow
