#pragma once

#include <span>

#include "sim/cql/statement.h"
#include "sim/schema/table.h"

namespace windrow {

/// Refuses a storage-attached index whose options or column it does not support (StorageAttachedIndex.validateOptions,
/// Cassandra 5.0.9). `table` does not hold the index yet.
void check_sai_index(const Index& index, std::span<const IndexTarget> targets, const Table& table, Span index_at,
                     Span options_at);

}  // namespace windrow
