#pragma once

#include "sim/engine/table_store.h"
#include "sim/record/run_record.h"
#include "sim/schema/table_options.h"

namespace windrow {

/// What the live files of a table keep outside the heap (storage rules 1.12 to 1.15): filters as large as their file,
/// summaries of BIG files with every min_index_interval-th key, eight bytes per chunk of compressed ones.
OffHeap off_heap_of(const TableStore& store, const TableOptions& options);

}  // namespace windrow
