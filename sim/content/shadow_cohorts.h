#pragma once

#include <vector>

#include "sim/content/content.h"

namespace windrow {

/// In-memory merge of what a memtable took in: tombstones shadow rows, nothing is purged (Flushing.FlushRunnable,
/// rule 3.10). Adds to `shadowed` how many rows went.
void shadow_cohorts(const ContentSpace& space, std::vector<Cohort>& cohorts, Rows* shadowed);

}  // namespace windrow
