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

/// Largest write timestamp that may go (exclusive), for partitions of one bucket: no_timestamp where nothing blocks.
struct PurgeLimit {
  Micros below_us = no_timestamp;
  std::shared_ptr<const SlotSet> slots{};  // null: all that the cohort's tokens admit
  Token first_token = min_token;           // on a lattice partitions are told by tokens
  Token last_token = max_token;
};

/// CompactionController.getPurgeEvaluator (rule 3.7) for all partitions of one bucket that a cohort may hold. Sources
/// whose minimum timestamp is above `newest_us` cannot block.
std::vector<PurgeLimit> purge_limits(const ContentSpace& space, const Cohort& cohort, std::int64_t bucket,
                                     Micros newest_us, const std::vector<OverlapSource>& sources);

}  // namespace windrow
