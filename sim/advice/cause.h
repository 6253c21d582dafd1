#pragma once

#include <string>

#include "sim/record/run_record.h"
#include "sim/resolve/load_scenario.h"

namespace windrow {

/// Why a limit was broken, in a sentence of what this run recorded: who wrote it, what it is made of, what holds it.
std::string cause_of(const LoadedScenario& loaded, const RunRecord& record, const LimitOutcome& limit);

}  // namespace windrow
