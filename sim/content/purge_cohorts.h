#pragma once

#include <vector>

#include "sim/content/content.h"
#include "sim/content/keyed_merge.h"

namespace windrow {

struct OverlapSource;

/// Converts and purges the rows of cohorts as BTreeRow.purge and AbstractCell.purge do, Cassandra 5.0.9 (rule 3.6): cut
/// only where the rule answers differently, joined again where it does not. `sources` ascend by minimum timestamp.
/// False if nothing could be dead: then nothing changed.
bool purge_cohorts(const ContentSpace& space, std::vector<Cohort>& cohorts, const PurgeTimes& times,
                   const std::vector<OverlapSource>& sources);

}  // namespace windrow
