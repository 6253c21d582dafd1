#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/units.h"
#include "sim/words/cursor.h"

namespace windrow {

// The single values of the scenario language. Each is read from a Cursor (stopping after it) and throws ValueError.

/// A span of time: 90s 20min 4h 10d 2w 3y (y = 365 d), also ms and us; at most 1,000 y.
struct Duration {
  Micros us = 0;
};
inline constexpr Micros us_per_day = seconds_per_day * us_per_s;
inline constexpr Micros us_per_year = 365 * us_per_day;
inline constexpr Micros longest_duration_us = 1000 * us_per_year;
Duration read_duration(Cursor& cursor);

/// A day or a second, UTC: 2026-01-01, 2026-01-01T08:30, 2026-01-01T08:30:00Z; years 1970 to 2199.
struct Moment {
  Micros us = 0;
};
Moment read_moment(Cursor& cursor);

/// 64MiB, 1.5TB, 90B; at most 1 EiB.
struct Size {
  Bytes bytes = 0;
};
Size read_size(Cursor& cursor);

/// Bytes per second: 1MiB/s.
struct ByteRate {
  double bytes_per_s = 0;
};
ByteRate read_byte_rate(Cursor& cursor);

/// Rows per time, exact: `rows` per `period_us`, reduced; at most 1e7/s.
struct Rate {
  std::int64_t rows = 0;
  Micros period_us = us_per_s;
  double per_s() const { return static_cast<double>(rows) * 1e6 / static_cast<double>(period_us); }
};
inline constexpr double fastest_rate_per_s = 1e7;
Rate read_rate(Cursor& cursor);

/// 2%, 0.5%: parts per million.
inline constexpr std::int64_t ppm_of_percent = 10'000;
struct Share {
  std::int64_t ppm = 0;
};
Share read_share(Cursor& cursor);

/// A whole number without unit, at most `most`; 1e6 counts as one.
std::int64_t read_whole_number(Cursor& cursor, std::int64_t most);
/// A number without unit.
double read_plain_number(Cursor& cursor);

std::string format_duration(Micros us);
std::string format_moment(Micros us);
std::string format_size(Bytes bytes);

}  // namespace windrow
