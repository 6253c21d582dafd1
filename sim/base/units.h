#pragma once

#include <cstdint>
#include <limits>

namespace windrow {

// Plain integers carry their unit in the name, unit last: created_ms, min_timestamp_us, gc_before_s, data_bytes.
// Simulated time is whole microseconds since the Unix epoch (UTC); Cassandra's deletion times are whole seconds.

using Bytes = std::int64_t;
using Rows = std::int64_t;
using Micros = std::int64_t;   // a point in time or a write timestamp, microseconds
using Seconds = std::int64_t;  // a point in time or a span, seconds
using Millis = std::int64_t;
using Token = std::int64_t;

inline constexpr std::int64_t us_per_s = 1'000'000;
inline constexpr std::int64_t ms_per_s = 1'000;
inline constexpr Seconds seconds_per_day = 86'400;

/// Cell.NO_DELETION_TIME, Cassandra 5.0: "never expires, is not a tombstone".
inline constexpr Seconds no_deletion_time = std::numeric_limits<std::int64_t>::max();
/// The minimum timestamp of nothing: an empty memtable blocks nobody (Memtable.getMinTimestamp, rule 12.6).
inline constexpr Micros no_timestamp = std::numeric_limits<std::int64_t>::max();

inline constexpr Token min_token = std::numeric_limits<std::int64_t>::min();
inline constexpr Token max_token = std::numeric_limits<std::int64_t>::max();

constexpr Bytes KiB(std::int64_t n) { return n << 10; }
constexpr Bytes MiB(std::int64_t n) { return n << 20; }
constexpr Bytes GiB(std::int64_t n) { return n << 30; }

}  // namespace windrow
