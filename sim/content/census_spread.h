#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace windrow {

/// Exact extremes and percentiles (nearest rank) of whole numbers.
struct Spread {
  std::int64_t min = 0;
  std::int64_t p50 = 0;
  std::int64_t p75 = 0;
  std::int64_t p95 = 0;
  std::int64_t p98 = 0;
  std::int64_t p99 = 0;
  std::int64_t max = 0;
  friend bool operator==(const Spread&, const Spread&) = default;
};

/// Values and how often each occurs. Memory follows the different values, not the occurrences.
class WeightedValues {
 public:
  void add(std::int64_t value, std::int64_t count);
  std::int64_t count() const { return count_; }
  /// Ascending, each value once.
  const std::vector<std::pair<std::int64_t, std::int64_t>>& sorted();
  Spread spread();

 private:
  void compact();

  std::vector<std::pair<std::int64_t, std::int64_t>> values_{};
  /// Where values were put last, by their low bits: partitions of the next bucket have the sizes of those of this one.
  std::array<std::uint32_t, 1024> places_{};
  std::size_t compact_at_ = 4096;
  bool compact_ = true;  // ascending, each value once
  std::int64_t count_ = 0;
};

}  // namespace windrow
