#pragma once

#include "sim/verify/recording_check.h"

namespace windrow {

/// The run test: given only the scenario, the whole sequence of flushes, picks, commits, samples and fruitless calls.
TestResult check_run(const Recording& recording);

}  // namespace windrow
