#pragma once

#include <algorithm>
#include <cstdint>
#include <map>

namespace windrow {

/// How often each value was met. Percentiles are values that were: the smallest that so many of all do not exceed.
class WeightedCounts {
 public:
  void add(std::int64_t value, std::int64_t weight) {
    if (weight <= 0) return;
    weights_[value] += weight;
    total_ += weight;
    sum_ += static_cast<double>(value) * static_cast<double>(weight);
  }
  void add(const WeightedCounts& other) {
    for (const auto& [value, weight] : other.weights_) add(value, weight);
  }

  /// Calls `each(value, weight)`, ascending.
  template <typename Each>
  void each(const Each& each) const {
    for (const auto& [value, weight] : weights_) each(value, weight);
  }

  std::int64_t total() const { return total_; }
  double mean() const { return total_ > 0 ? sum_ / static_cast<double>(total_) : 0; }
  std::int64_t max() const { return weights_.empty() ? 0 : weights_.rbegin()->first; }
  /// `percent` of 100; 0 where nothing was met.
  std::int64_t percentile(std::int64_t percent) const {
    const std::int64_t enough = total_ / 100 * percent + (total_ % 100 * percent + 99) / 100;
    std::int64_t seen = 0;
    for (const auto& [value, weight] : weights_) {
      seen += weight;
      if (seen >= enough) return value;
    }
    return 0;
  }

 private:
  std::map<std::int64_t, std::int64_t> weights_{};
  std::int64_t total_ = 0;
  double sum_ = 0;
};

}  // namespace windrow
