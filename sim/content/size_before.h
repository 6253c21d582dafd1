#pragma once

#include <cstdint>

#include "sim/base/units.h"
#include "sim/stats/vint.h"

namespace windrow {

/// A row writes the size of what stands before it: the row before, or, of a partition's first row, the partition's
/// header with its static row. This is what it pays for that beyond a byte.
inline Bytes size_before(Bytes bytes) { return unsigned_vint_size(static_cast<std::uint64_t>(bytes)) - 1; }

}  // namespace windrow
