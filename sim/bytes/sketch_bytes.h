#pragma once

#include <cstdint>

#include "sim/base/units.h"

namespace windrow {

/// What Statistics.db has more than statistics_db_estimate says where the sketch of so many keys is a list of places,
/// though there are more of them than that usually holds (sketch_form.h).
Bytes sparse_sketch_excess(std::int64_t keys);

}  // namespace windrow
