#pragma once

#include "sim/engine/table_store.h"

namespace windrow {

/// Keys the writer of an output expects (rule 3.7a); [first, last] are the output's tokens.
std::int64_t expected_keys(const Task& task, Token first, Token last);

}  // namespace windrow
