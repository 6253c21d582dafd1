#include "sim/strategy/window_order.h"

#include "sim/base/arithmetic.h"
#include "sim/base/check.h"

namespace windrow {

TimeWindows::TimeWindows(const TimeWindowOptions& options) : length_s_(options.window_unit_s * options.window_size) {
  if (options.timestamp_resolution == "NANOSECONDS") timestamp_divisor_ = 1'000'000;
  if (options.timestamp_resolution == "MILLISECONDS") timestamp_divisor_ = 1;
  if (options.timestamp_resolution == "SECONDS") {
    timestamp_divisor_ = 1;
    timestamp_multiplier_ = 1'000;
  }
}

// TimeWindowCompactionStrategy.getWindowBoundsInMillis, Cassandra 5.0.9: truncates toward zero, the remainder keeps its
// sign.
Millis TimeWindows::start_ms(Micros max_timestamp_us) const {
  const Millis written_ms = max_timestamp_us / timestamp_divisor_ * timestamp_multiplier_;
  const Seconds written_s = written_ms / ms_per_s;
  return (written_s - written_s % length_s_) * ms_per_s;
}

WindowOrder::WindowOrder(const TimeWindowOptions& options)
    : time_windows_(options),
      min_threshold_(options.size_tiered.common.min_threshold),
      max_threshold_(options.size_tiered.common.max_threshold) {}

WindowOrder::Windows::iterator WindowOrder::window_of(const SSTableView& file) {
  const Millis key = window_ms(file);
  const auto newest = windows_.begin();  // where almost all changes happen
  return newest != windows_.end() && newest->first == key ? newest : windows_.find(key);
}

void WindowOrder::add(const SSTableView& file) {
  auto window = window_of(file);
  if (window == windows_.end()) {
    if (!windows_.empty() && windows_.begin()->second.empty()) windows_.erase(windows_.begin());
    window = windows_.try_emplace(window_ms(file)).first;
  }
  const std::size_t files_before = window->second.size();
  window->second.add(file);
  counted(window, files_before);
}

void WindowOrder::remove(const SSTableView& file) {
  const auto window = window_of(file);
  SIM_CHECK(window != windows_.end(), "a file leaves a time window that exists");
  const std::size_t files_before = window->second.size();
  window->second.remove(file);
  counted(window, files_before);
  // The newest window is often emptied by a compaction whose output comes back to it.
  if (window->second.empty() && window != windows_.begin()) windows_.erase(window);
}

void WindowOrder::counted(Windows::iterator window, std::size_t files_before) {
  const std::size_t files = window->second.size();
  tasks_ += past_window_tasks(files) - past_window_tasks(files_before);
  if ((files >= 2) == (files_before >= 2)) return;
  const auto at = std::ranges::lower_bound(crowded_, window->first, std::greater<>{},
                                           [](const Windows::const_iterator& w) { return w->first; });
  if (files >= 2) {
    crowded_.insert(at, window);
  } else {
    crowded_.erase(at);
  }
}

std::int64_t WindowOrder::past_window_tasks(std::size_t files) const {
  if (files < 2) return 0;
  const auto beyond = static_cast<std::int64_t>(files) - max_threshold_;
  return 1 + (beyond > min_threshold_ ? ceil_div(beyond, max_threshold_) : 0);
}

}  // namespace windrow
