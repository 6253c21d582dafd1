#pragma once

#include <functional>
#include <span>
#include <vector>

#include "evidence/recordings/oracle_scenario.h"
#include "evidence/recordings/trace.h"
#include "tests/witness/lib/table.h"

namespace windrow::witness {

/// Plays a scenario in the recording harness's order of actions, and writes what it would: every event, every field but
/// `task`, `type` and `unified_levels` of picks. `bytes_on_disk` is a model.
/// `sizes_of`: a recording whose compressed sizes are taken, by SSTable id; null for uncompressed tables.
/// `look` sees the table at each sample, after everything else of its second.
using Look = std::function<void(Seconds now_s, const Table& table)>;
Trace play(const OracleScenario& scenario, const Trace* sizes_of = nullptr, const Look& look = {});

/// Several uncompressed tables of one node: second by second in the order given, sharing the first one's compaction
/// slots.
std::vector<Trace> play_together(std::span<const OracleScenario> scenarios);

}  // namespace windrow::witness
