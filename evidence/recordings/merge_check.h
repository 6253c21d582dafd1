#pragma once

#include "evidence/recordings/recording_check.h"

namespace windrow {

/// The merge test: contents follow the recorded flushes and picks from the scenario's formulas, and every field of
/// every flushed or compacted SSTable is compared.
TestResult check_merges(const Recording& recording, Replay replay);

}  // namespace windrow
