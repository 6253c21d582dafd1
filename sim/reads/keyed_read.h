#pragma once

#include <span>

#include "sim/reads/partition_query.h"

namespace windrow {

/// The cost of reading a partition that is held row by row. Tombstones as ReadCommand.withMetricsRecording counts them
/// (storage rule 4.5).
PartitionCost read_keyed(const ContentSpace& space, std::span<const ReadSource> sources, Token token,
                         const PartitionQuery& query);

}  // namespace windrow
