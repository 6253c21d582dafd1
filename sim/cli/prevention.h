#pragma once

#include <string>
#include <vector>

#include "sim/cli/prepared_run.h"

namespace windrow {

/// What a run with assignments over its own does; nothing if somebody asked to stop. Throws as prepare_run does.
std::optional<FaultRecord> faults_with(const PreparedRun& prepared, const std::vector<std::string>& over,
                                       const std::vector<std::string>& assignments);

/// One way to change a scenario: assignments that go over its values, and what to know of it.
struct Prevention {
  std::vector<std::string> assignments{};
  std::string remark{};
};

/// Single changes that may keep deleted rows from coming back, the smallest first: gc_grace by the least margin,
/// rounded up to the hour; repairs that come often enough for it; hints for as long as the longest outage;
/// only_purge_repaired_tombstones.
std::vector<Prevention> preventions(const Scenario& scenario, const FaultRecord& faults);

/// Where deleted rows came back: plays the scenario with each single change, and writes down what became of each as
/// advice on `resurrected_rows`, which the scenario need not have as a limit, and whether a limit that held breaks by
/// it.
void find_prevention(const PreparedRun& prepared, const std::vector<std::string>& assignments, const Advance& advance,
                     const Step& phase, RunRecord& record);

/// How many of some runs had deleted rows that came back, and with it the 95 % interval of their share (Wilson).
std::string share_of_zombies(std::size_t with, std::size_t runs);
/// The rows that come back with another seed; nothing if somebody asked to stop.
std::optional<Rows> resurrected_with_seed(const PreparedRun& prepared, const std::vector<std::string>& assignments,
                                          std::uint64_t seed);

}  // namespace windrow
