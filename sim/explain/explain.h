#pragma once

#include <string>

#include "sim/explain/stored_run.h"

namespace windrow {

/// Why a file exists and why it is still here: how it was born and from what, what it holds, what it waits for or who
/// blocks it, who stops blocking when, and what would free it now.
std::string explain_sstable(const StoredTable& table, const StoredSSTable& sstable);

}  // namespace windrow
