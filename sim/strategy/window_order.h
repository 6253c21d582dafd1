#pragma once

#include <functional>
#include <map>
#include <vector>

#include "sim/schema/compaction_options.h"
#include "sim/strategy/strategy_order.h"

namespace windrow {

/// Time windows (rule 7.2).
class TimeWindows {
 public:
  explicit TimeWindows(const TimeWindowOptions& options);

  Seconds length_s() const { return length_s_; }
  /// Start of the window of a file by its newest write.
  Millis start_ms(Micros max_timestamp_us) const;

 private:
  Micros timestamp_divisor_ = 1'000;  // of the timestamp, to get milliseconds
  Millis timestamp_multiplier_ = 1;
  Seconds length_s_ = seconds_per_day;
};

/// Files that are not compacting, by time window.
class WindowOrder final : public StrategyOrder {
 public:
  /// Newest window first, which may be empty; inside a window by size, ties in live-set order.
  using Windows = std::map<Millis, SizeOrder, std::greater<>>;

  explicit WindowOrder(const TimeWindowOptions& options);

  void add(const SSTableView& file) override;
  void remove(const SSTableView& file) override;

  Millis window_ms(const SSTableView& file) const { return time_windows_.start_ms(file.max_timestamp_us); }
  const Windows& windows() const { return windows_; }
  /// Windows of two or more files, newest first.
  std::span<const Windows::const_iterator> crowded() const { return crowded_; }
  /// Tasks that a past window of `files` files counts for (rule 7.4).
  std::int64_t past_window_tasks(std::size_t files) const;
  /// The sum of it over all windows.
  std::int64_t all_past_window_tasks() const { return tasks_; }

 private:
  Windows::iterator window_of(const SSTableView& file);
  void counted(Windows::iterator window, std::size_t files_before);

  TimeWindows time_windows_;
  std::int64_t min_threshold_ = 4;
  std::int64_t max_threshold_ = 32;
  Windows windows_;
  std::vector<Windows::const_iterator> crowded_;
  std::int64_t tasks_ = 0;
};

}  // namespace windrow
