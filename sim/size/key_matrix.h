#pragma once

#include "sim/content/census_partitions.h"
#include "sim/record/key_choices.h"
#include "sim/scenario/scenario.h"

namespace windrow {

/// Other buckets and shards for a table of a scenario, with its own streams, entities and rates: of each the fullest
/// bucket of the run. Buckets that the run is too short to fill are left out. No cells where a choice of bucket decides
/// nothing (every row a partition, buckets that come round again) or the streams' content cannot be measured like this.
/// `run`: the partitions that the table has at the end of the run; they are the scenario's own choice's, unless that is
/// newer than they are. Null: there was no run.
KeyChoices key_choices(const Scenario& scenario, int table, const PartitionCensus* run = nullptr);

}  // namespace windrow
