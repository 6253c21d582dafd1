#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/content/cohort.h"

namespace windrow {

/// Which of a bucket's partitions, by slot, something holds: all, some ranges of slots, or any set.
class Presence {
 public:
  explicit Presence(std::int64_t slots) : slots_(slots) {}

  bool all() const { return count_ == slots_; }
  bool none() const { return count_ == 0; }
  std::int64_t count() const { return count_; }
  bool holds(std::int64_t slot) const;
  /// False: any set, where holds() is a look at one bit.
  bool in_ranges() const { return set_.empty(); }

  void add_all();
  /// Slots first, first + 1, … modulo the number of slots.
  void add_successive(std::int64_t first, std::int64_t count);
  void add(std::int64_t slot);

  /// Calls `each(first, last)` for every range of slots [first, last), ascending.
  template <typename Each>
  void each_range(const Each& each) const {
    if (set_.empty()) {
      for (const auto& [first, last] : ranges_) each(first, last);
      return;
    }
    for (auto slot = set_.find_first(); slot != SlotSet::npos; slot = set_.find_next(slot))
      each(static_cast<std::int64_t>(slot), static_cast<std::int64_t>(slot) + 1);
  }
  template <typename Each>
  void each_slot(const Each& each) const {
    each_range([&each](std::int64_t first, std::int64_t last) {
      for (std::int64_t slot = first; slot < last; ++slot) each(slot);
    });
  }

 private:
  void add_range(std::int64_t first, std::int64_t last);
  void make_set();

  std::int64_t slots_ = 0;
  std::int64_t count_ = 0;
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges_{};  // disjoint, ascending; only while there is no set
  SlotSet set_{};
};

}  // namespace windrow
