#pragma once

#include <span>
#include <vector>

#include "evidence/recordings/recording_check.h"

namespace windrow {

/// The run test: given only the scenario, the whole sequence of flushes, picks, commits, samples and fruitless calls.
TestResult check_run(const Recording& recording);

/// The same for recordings that were made together: tables of one node, which share the first one's compaction slots.
std::vector<TestResult> check_runs(std::span<const Recording> recordings);

}  // namespace windrow
