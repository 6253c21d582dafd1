#pragma once

#include <vector>

#include "sim/strategy/strategy.h"

namespace windrow {

/// Major compaction (nodetool compact; getMaximalTasks): tasks over all live files, none of which may be compacting.
/// Size-tiered and time-window tables become one file, all windows of the latter together (rules 6.9, 7.10); leveled
/// ones fill level after level from 1 (rule 8.13); unified ones have a task for each group of files that overlap
/// (rule 9.14).
std::vector<Pick> major_tasks(const CompactionOptions& options, const TableView& view);

/// The task of a leveled table over these files.
Pick leveled_major_task(const LeveledOptions& options, std::vector<std::int64_t> inputs);

}  // namespace windrow
