#pragma once

#include <span>

#include "sim/strategy/strategy.h"

namespace windrow {

/// LeveledManifest.getCompactionCandidates and LeveledCompactionStrategy.findDroppableSSTable, Cassandra 5.0.9 (rule
/// 8).
Answer leveled_task(const LeveledOptions& options, const LeveledState& state, const TableView& view);

/// getEstimatedTasks (rule 8.12).
std::int64_t leveled_estimated_tasks(const LeveledOptions& options, const LevelOrder& order);

/// Rule 8.9 at the start of an instance: for each level the youngest file of the level above it.
LeveledState new_leveled_state(const Holder* holder);

/// Rule 8.9 after a commit.
LeveledState leveled_after_commit(const LeveledState& state, std::span<const SSTableView> removed,
                                  std::span<const SSTableView> outputs);

/// LeveledManifest.newLevel: the file that went up is the last one compacted of the level that it left.
LeveledState leveled_after_level_change(const LeveledState& state, const SSTableView& before);

}  // namespace windrow
