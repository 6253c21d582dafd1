#pragma once

#include <cstdint>

#include "sim/words/plain_values.h"
#include "sim/words/timed.h"

namespace windrow {

// What keys of several sections accept.

inline constexpr std::int64_t most_nodes = 1000;

inline bool positive_time(const Duration& value) { return value.us > 0; }
inline bool positive_rate(const Rate& value) { return value.rows > 0; }

inline constexpr const char* times = "such as 90s, 20min, 4h, 10d, 2w, 3y";
inline constexpr const char* dates = "2026-01-01 or 2026-01-01T08:30:00";

}  // namespace windrow
