#pragma once

#include "sim/content/content.h"
#include "sim/content/keyed_content.h"

namespace windrow {

/// One write of a group that is held row by row, as it arrives: a row, its tombstone, or the delete of a partition or
/// range. `default_ttl_s`: the table's, then.
KeyedPartition keyed_write(const ContentSpace& space, const KeyedArrival& arrival, Seconds default_ttl_s);

/// The same writes as sets of members, which is how nodes are sent hints: of a sub-stream of rows that are held one by
/// one a cohort is such writes, and of a writer's deletes of partitions and ranges it is those places among them.
Cohort keyed_hint(const KeyedArrival& arrival);
bool is_keyed_hint(const TableWorkload& workload, const Cohort& cohort);
/// Its writes, one after the other.
std::vector<KeyedArrival> keyed_hints(const TableWorkload& workload, const Cohort& cohort);

}  // namespace windrow
