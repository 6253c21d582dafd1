#pragma once

#include <optional>
#include <string>

#include "sim/base/units.h"
#include "sim/schema/compaction_options.h"

namespace windrow {

/// Length of TimeWindowCompactionStrategy's windows; nothing under another strategy.
std::optional<Seconds> time_window_s(const CompactionOptions& options);

/// A window that compaction_window_unit and compaction_window_size can say.
struct WindowChoice {
  Seconds length_s = 0;
  std::string unit{};  // MINUTES, HOURS or DAYS
  std::int64_t size = 1;

  /// 'compaction_window_unit': 'DAYS', 'compaction_window_size': 3
  std::string cql() const;
};

/// As long as coordinators keep hints with shipped settings: gc_grace should not be shorter.
inline constexpr Seconds hint_window_s = 3 * 3'600;

/// What windows are counted within: the TTL (0: none), or what gc_grace should have at least where that is longer. A
/// gc_grace above both is longer than rows that only expire need: a finding of its own, and no measure of windows.
Seconds windowed_s(Seconds ttl_s, Seconds gc_grace_s);

/// Windows within that: not so few that what has expired waits long, not so many that every read meets many SSTables.
inline constexpr std::int64_t fewest_windows = 20;
inline constexpr std::int64_t most_windows = 30;

/// The window for a table: a whole number of buckets (0: has none, or of unknown length), and 20 to 30 of them within
/// windowed_s() (0: none) where a whole number of buckets allows it, else as near as it does.
WindowChoice window_for(Seconds within_s, Seconds bucket_s);
/// True if nothing is better about window_for() than about this one: enough buckets and few enough windows, or a bucket
/// that is already longer than a thirtieth of it.
bool is_good_window(Seconds window_s, Seconds within_s, Seconds bucket_s);

/// Time windows that hold a part of one bucket.
std::int64_t windows_of_bucket(Seconds bucket_s, Seconds window_s);

}  // namespace windrow
