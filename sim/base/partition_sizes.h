#pragma once

#include "sim/base/units.h"

namespace windrow {

// What a partition should be where nobody said otherwise, before compression.

/// Larger than this is more than compaction, repair and reads of Cassandra like: the usual advice for one partition,
/// and the shipped compaction_large_partition_warning_threshold of cassandra.yaml (100MiB; 5.0 names it
/// partition_size_warn_threshold).
inline constexpr Bytes large_partition_bytes = MiB(100);
/// Smaller ones are more keys, index entries and reads than the rows need.
inline constexpr Bytes small_partition_bytes = MiB(10);

}  // namespace windrow
