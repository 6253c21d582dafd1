#include "sim/size/time_window.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "sim/base/arithmetic.h"

namespace windrow {

namespace {

struct Unit {
  const char* name = "";
  Seconds length_s = 1;
};
constexpr std::array units{Unit{"DAYS", seconds_per_day}, Unit{"HOURS", 3'600}, Unit{"MINUTES", 60}};

WindowChoice said_in_units(Seconds length_s) {
  for (const Unit& unit : units) {
    if (length_s % unit.length_s == 0)
      return {.length_s = length_s, .unit = unit.name, .size = length_s / unit.length_s};
  }
  return {.length_s = 60, .unit = "MINUTES", .size = 1};
}

/// Months and years have no length of their own.
bool is_calendar(Seconds bucket_s) { return bucket_s > 20 * seconds_per_day && bucket_s % seconds_per_day != 0; }

/// The least that a window can be: a whole number of minutes, and of buckets; of months and years the longest.
Seconds window_step_s(Seconds bucket_s) {
  if (bucket_s == 0) return 60;
  if (is_calendar(bucket_s)) return ceil_div(bucket_s, seconds_per_day) * seconds_per_day;
  return std::lcm(bucket_s, Seconds{60});
}

bool ends_with(Seconds bucket_s, Seconds window_s) {
  return bucket_s == 0 || (is_calendar(bucket_s) ? window_s >= bucket_s : window_s % bucket_s == 0);
}

WindowChoice window_within(Seconds within_s) {
  for (const Unit& unit : units) {
    const std::int64_t size = ceil_div(within_s, most_windows * unit.length_s);
    if (size * unit.length_s * fewest_windows <= within_s) return said_in_units(size * unit.length_s);
  }
  return said_in_units(60);
}

}  // namespace

std::string WindowChoice::cql() const {
  return fmt::format("'compaction_window_unit': '{}', 'compaction_window_size': {}", unit, size);
}

std::optional<Seconds> time_window_s(const CompactionOptions& options) {
  const auto* windows = std::get_if<TimeWindowOptions>(&options);
  if (windows == nullptr) return std::nullopt;
  return windows->window_unit_s * windows->window_size;
}

Seconds windowed_s(Seconds ttl_s, Seconds gc_grace_s) {
  return ttl_s == 0 ? 0 : std::max(ttl_s, std::min(gc_grace_s, hint_window_s));
}

WindowChoice window_for(Seconds within_s, Seconds bucket_s) {
  const Seconds step_s = window_step_s(bucket_s);
  if (within_s == 0) return said_in_units(ceil_div(seconds_per_day, step_s) * step_s);
  const WindowChoice plain = window_within(within_s);
  if (ends_with(bucket_s, plain.length_s)) return plain;
  return said_in_units(std::max<std::int64_t>(1, ceil_div(within_s, most_windows * step_s)) * step_s);
}

bool is_good_window(Seconds window_s, Seconds within_s, Seconds bucket_s) {
  if (!ends_with(bucket_s, window_s)) return false;
  const std::int64_t count = ceil_div(within_s, window_s);
  return within_s == 0 || (count >= fewest_windows && count <= most_windows) ||
         window_s == window_for(within_s, bucket_s).length_s;
}

std::int64_t windows_of_bucket(Seconds bucket_s, Seconds window_s) {
  if (ends_with(bucket_s, window_s)) return 1;
  return bucket_s > window_s ? ceil_div(bucket_s, window_s) : 2;
}

}  // namespace windrow
