#pragma once

#include "sim/record/key_choices.h"
#include "sim/scenario/scenario.h"

namespace windrow {

/// Other buckets and shards for a table of a scenario, with its own streams, entities and rates as they are at the end
/// of the run. Buckets that the run is too short to fill are left out. No cells where a choice of bucket decides
/// nothing (every row a partition, buckets that come round again) or the streams' content cannot be measured like this.
KeyChoices key_choices(const Scenario& scenario, int table);

}  // namespace windrow
