#pragma once

#include "sim/engine/table_store.h"

namespace windrow {

/// SSTableReader.getApproximateKeyCount, Cassandra 5.0.9: different keys of what a task reads, by their sketches.
std::int64_t approximate_keys(const Task& task);
/// Keys the writer of an output expects (rule 3.7a) where the task is expected to have so many; [first, last] are the
/// output's tokens. `local`: what the node holds of the ring; null: all of it.
std::int64_t expected_keys(const Task& task, std::int64_t keys, Token first, Token last, const LocalRanges* local);

}  // namespace windrow
