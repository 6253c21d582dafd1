#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace windrow {

/// Days since 1970-01-01 of a date of the proleptic Gregorian calendar.
constexpr std::int64_t days_from_civil(std::int64_t year, int month, int day) {
  const std::int64_t shifted = month > 2 ? year : year - 1;  // years from March on
  const std::int64_t era = (shifted >= 0 ? shifted : shifted - 399) / 400;
  const std::int64_t year_of_era = shifted - era * 400;
  const std::int64_t day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  return era * 146'097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719'468;
}

struct CqlDuration {
  std::int64_t months = 0;
  std::int64_t days = 0;
  std::int64_t nanoseconds = 0;
};

// Texts of CQL constants without their quotes; nothing: not in a form that is accepted.

/// '2024-02-29': days since the epoch.
std::optional<std::int64_t> parse_cql_date(std::string_view text);
/// '12:34:56.789': nanoseconds since midnight.
std::optional<std::int64_t> parse_cql_time(std::string_view text);
/// '2024-02-29 12:34:56.789+0000' with T or a space, seconds, milliseconds and zone optional (UTC): milliseconds.
std::optional<std::int64_t> parse_cql_timestamp(std::string_view text);
/// 1y2mo3w4d5h6m7s8ms9us10ns, or ISO 8601 as P1Y2M3DT4H5M6S and P3W.
std::optional<CqlDuration> parse_cql_duration(std::string_view text);

}  // namespace windrow
