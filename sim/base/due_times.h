#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace windrow {

/// When each of some things is due, by their number from 0: which time is the earliest, and which thing by number is
/// the next that is due by a time. Each question and change takes as long as the logarithm of their number.
class DueTimes {
 public:
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

  DueTimes(int count, std::int64_t due)
      : count_(count),
        leaves_(std::bit_ceil(static_cast<std::size_t>(std::max(1, count)))),
        least_(2 * leaves_, never) {
    for (int i = 0; i < count; ++i) set(i, due);
  }

  int count() const { return count_; }
  std::int64_t of(int i) const { return least_[leaves_ + static_cast<std::size_t>(i)]; }
  /// Of none: `never`.
  std::int64_t earliest() const { return least_[1]; }

  void set(int i, std::int64_t due) {
    std::size_t node = leaves_ + static_cast<std::size_t>(i);
    least_[node] = due;
    while (node > 1) {
      node /= 2;
      const std::int64_t least = std::min(least_[2 * node], least_[2 * node + 1]);
      if (least_[node] == least) return;
      least_[node] = least;
    }
  }

  /// The first number from `from` on that is due at `at` or before, `at` before `never`; `count()` if there is none.
  int next_due(int from, std::int64_t at) const {
    if (from >= count_) return count_;
    std::size_t node = leaves_ + static_cast<std::size_t>(from);
    while (least_[node] > at) {
      while (node % 2 == 1) {  // nothing on this level lies to its right under the same parent
        if (node == 1) return count_;
        node /= 2;
      }
      ++node;
    }
    while (node < leaves_) node = least_[2 * node] <= at ? 2 * node : 2 * node + 1;
    return static_cast<int>(node - leaves_);
  }

 private:
  int count_ = 0;
  std::size_t leaves_ = 1;
  std::vector<std::int64_t> least_;  // [1] of all; [2 n] and [2 n + 1] are the halves of [n]
};

}  // namespace windrow
