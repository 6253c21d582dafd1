#pragma once

#include "sim/engine/table_store.h"

namespace windrow {

/// Keys the writer of an output expects (rule 3.7a); [first, last] are the output's tokens. `local`: what the node
/// holds of the ring; null: all of it.
std::int64_t expected_keys(const Task& task, Token first, Token last, const LocalRanges* local);

}  // namespace windrow
