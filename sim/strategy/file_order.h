#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/check.h"
#include "sim/strategy/sstable_view.h"

namespace windrow {

/// Files in ascending order of a key; a second number, unique to the file, settles ties. Kept as a sorted vector:
/// in every order used here almost all changes happen near one end.
class FileOrder {
 public:
  struct Place {
    std::int64_t key = 0;
    std::int64_t tie = 0;
    const SSTableView* file = nullptr;
  };
  using iterator = std::vector<Place>::const_iterator;

  void insert(std::int64_t key, std::int64_t tie, const SSTableView& file) {
    const Place place{.key = key, .tie = tie, .file = &file};
    if (places_.empty() || before(places_.back(), place)) {
      places_.push_back(place);
    } else {
      places_.insert(std::upper_bound(places_.begin(), places_.end(), place, before), place);
    }
  }

  void erase(std::int64_t key, std::int64_t tie) {
    const bool erased = erase_if_there(key, tie);
    SIM_CHECK(erased, "a file leaves an order that it is in");
  }

  bool erase_if_there(std::int64_t key, std::int64_t tie) {
    const Place place{.key = key, .tie = tie};
    const auto at = std::lower_bound(places_.begin(), places_.end(), place, before);
    if (at == places_.end() || at->key != key || at->tie != tie) return false;
    places_.erase(at);
    return true;
  }

  void erase_first(std::size_t count) {
    places_.erase(places_.begin(), places_.begin() + static_cast<std::ptrdiff_t>(count));
  }

  iterator begin() const { return places_.begin(); }
  iterator end() const { return places_.end(); }
  /// The same from the greatest key down, for range-for.
  auto descending() const {
    struct Descending {
      const std::vector<Place>& places;
      auto begin() const { return places.rbegin(); }
      auto end() const { return places.rend(); }
    };
    return Descending{places_};
  }
  /// First place whose key is greater than `key`.
  iterator above(std::int64_t key) const {
    return std::partition_point(places_.begin(), places_.end(), [key](const Place& p) { return p.key <= key; });
  }
  bool empty() const { return places_.empty(); }
  std::size_t size() const { return places_.size(); }
  const Place& front() const { return places_.front(); }
  const Place& back() const { return places_.back(); }
  std::span<const Place> places() const { return places_; }

 private:
  static bool before(const Place& a, const Place& b) { return a.key != b.key ? a.key < b.key : a.tie < b.tie; }

  std::vector<Place> places_;
};

}  // namespace windrow
