#pragma once

#include <functional>
#include <string>

#include "evidence/recordings/oracle_repair.h"
#include "evidence/recordings/statistics_off.h"
#include "evidence/recordings/trace.h"
#include "sim/engine/table_store.h"

namespace windrow {

/// Told of everything that differs: what, the engine's, ours.
using TellDifference = std::function<void(const char* what, std::string expected, std::string ours)>;

/// Holds a task that has just begun, what it was chosen from, and what its strategy remembers afterwards to the
/// recorded pick. `off` takes in statistics that may differ; null: they may not.
void compare_pick(const TracePick& recorded, const TableStore& table, const Task& task, const SessionNumbers& sessions,
                  const TellDifference& tell, StatisticsOff* off);

/// What the holders expect to be left to do, before the call that gave the recorded pick.
void compare_estimates(const TracePick& recorded, const TableStore& table, const TellDifference& tell);

}  // namespace windrow
