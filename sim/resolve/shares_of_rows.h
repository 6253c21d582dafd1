#pragma once

#include <vector>

#include "sim/keys/stream_values.h"
#include "sim/scenario/scenario.h"

namespace windrow {

/// Rows that come late: where a lateness varies, in eight parts of one size, to a part per million, by the mean of
/// each.
std::vector<LateShare> late_shares(const Lateness& late);
/// Rows with TTLs of their own; those of a share that is nothing are left out.
std::vector<TtlShare> ttl_shares(TtlMix mix);

}  // namespace windrow
