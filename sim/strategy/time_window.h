#pragma once

#include "sim/strategy/strategy.h"

namespace windrow {

/// TimeWindowCompactionStrategy.getNextBackgroundTask, Cassandra 5.0.9 (rules 7.3 to 7.9).
Answer time_window_task(const TimeWindowOptions& options, const TimeWindowState& state, const TableView& view);

}  // namespace windrow
