#pragma once

#include <cstdint>
#include <functional>

#include "sim/content/keyed_merge.h"

namespace windrow {

/// True if the column is one the query asks for.
using IsQueried = std::function<bool(std::int16_t column)>;

/// What `own` lacks of `merged`, a merge that `own` is part of: RowIteratorMergeListener, Cassandra 5.0.9. Both are
/// shadowed. Cells of other columns are left out.
KeyedPartition missing(const KeyedPartition& merged, const KeyedPartition& own, const CompareValues& values,
                       const IsQueried& queried);

/// True if both hold the same, whatever wrote it.
bool same_partition(const KeyedPartition& a, const KeyedPartition& b, const CompareValues& values);

}  // namespace windrow
