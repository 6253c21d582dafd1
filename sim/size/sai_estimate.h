#pragma once

#include <cstdint>

#include "sim/schema/type.h"

namespace windrow {

/// Bytes of storage-attached indexes in an SSTable: an estimate, fitted to SSTables of 10^3 to 10^6 rows of a node
/// of 5.0.9 (tests/data/captures/sai) and within a quarter of them.

/// What the first index of a table brings along: keys and tokens of all rows, clustered by a time.
double sai_key_bytes(std::int64_t rows);

/// One index, by how its values are: a handful that repeat, or each another (text: behind what they have in common).
struct SaiBytes {
  double few = 0;
  double different = 0;
};
SaiBytes sai_index_bytes(const CqlType& type, double value_bytes, std::int64_t rows);

}  // namespace windrow
