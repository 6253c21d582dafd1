#pragma once

#include <vector>

#include "sim/advice/remedy.h"
#include "sim/record/run_record.h"
#include "sim/resolve/load_scenario.h"

namespace windrow {

/// What may mend a broken limit, the likeliest first: remedies of settings and keys that follow from the table's
/// strategy, TTLs, buckets and shards, and from who wrote what broke it. Nothing here is known to help before it has
/// been run.
std::vector<Remedy> candidates(const LoadedScenario& loaded, const RunRecord& record, const LimitOutcome& limit);

}  // namespace windrow
