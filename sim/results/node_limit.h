#pragma once

#include <optional>

#include "sim/record/run_record.h"

namespace windrow {

/// How far the busiest node is above the mean one of its data centre, in its worst hour; nothing without a load.
std::optional<double> node_max_over_mean(const RunRecord& record);
/// The peak of the fullest node's disk over that of the mean node; nothing where no several were run, or none has
/// anything on disk.
std::optional<double> disk_over_mean(const RunRecord& record);

/// Holds the load of the nodes to the limit node_max_over_mean, hour by hour; it has a load.
void judge_load(RunRecord& record);

}  // namespace windrow
