#pragma once

#include <cstdint>
#include <span>

#include "sim/base/units.h"
#include "sim/bytes/component_sizes.h"

namespace windrow {

// Indexes of rows within partitions, of files whose rows are not listed: Rows.db (BTI), or what Index.db has beside
// each partition's key (BIG, storage rule 1.12).

/// Partitions of a file that are as large as each other, in Data.db before compression.
struct PartitionsOfSize {
  Bytes bytes = 0;
  std::int64_t partitions = 0;
};

/// Bytes of the unsigned vints of 0, step, 2 * step, ...: `count` of them.
Bytes unsigned_vints_size(std::int64_t count, double step);

/// If all partitions have the mean size.
Bytes row_indexes_of_mean(const EvenPartitions& file);
Bytes row_indexes(const EvenPartitions& file, std::span<const PartitionsOfSize> sizes);

/// However unlike partitions are, their indexes are not further from those of the mean one: as many partitions as can
/// be have two blocks, or none.
Bytes row_index_doubt(const EvenPartitions& file);

}  // namespace windrow
