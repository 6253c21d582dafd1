#pragma once

#include "sim/base/units.h"
#include "sim/workload/write_weight.h"
#include "sim/workload/writer.h"

namespace windrow {

// What static columns weigh before they are flushed (BTreePartitionData's static row, Mutation.serializer, Cassandra
// 5.0.9). Sizes that vary count as their mean.

/// The share of the writer's rows that bring its static columns along: all, or as many as it has partitions.
double share_with_statics(const Writer& writer);

/// What they add to each row of the writer, once its partition has its static row; and what to each partition.
struct StaticMemory {
  MemoryBytes a_row{};
  MemoryBytes a_partition{};
};
StaticMemory static_memory(const MemtableSettings& settings, const RowWrite& write);

/// What they add to each mutation in the commit log, on average.
double logged_static_bytes(const RowWrite& write);

}  // namespace windrow
