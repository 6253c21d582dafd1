#pragma once

#include <span>
#include <vector>

#include "evidence/recordings/oracle_harness.h"
#include "evidence/recordings/recording_check.h"

namespace windrow {

struct RunResults {
  TestResult pick{};
  TestResult run{};
};

/// The run test: given only the scenario, the whole sequence of flushes, picks, commits, samples and fruitless calls.
/// The pick test is what of it the strategies decide: every call's answer, what it chose from, and what is remembered.
/// `beside` sees the same play.
RunResults check_run(const Recording& recording, Replay replay, HarnessObserver* beside = nullptr);

/// The same for recordings that were made together: tables of one node, which share the first one's compaction slots.
std::vector<RunResults> check_runs(std::span<const Recording> recordings, Replay replay);

}  // namespace windrow
