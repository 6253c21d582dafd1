#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sim/strategy/file_order.h"

namespace windrow {

/// Files by their places, one after the other in memory. What comes and goes is sorted in when somebody looks: where
/// nobody does, as with compaction disabled, a table may have any number of them.
class SortedPlaces {
 public:
  std::span<const FilePlace> look() const {
    settle();
    return settled_;
  }
  std::size_t size() const { return settled_.size() + added_.size() - removed_.size(); }
  void add(const FilePlace& place) { added_.push_back(place); }
  /// It is there; found out when somebody looks.
  void remove(const FilePlace& place) {
    removed_.push_back(place);
    if (removed_.size() > size() + few_removed) sort_in();
  }
  /// Gives each file the place that `place_of(file)` says it has now.
  template <typename PlaceOf>
  void place_anew(const PlaceOf& place_of) {
    settle();
    added_.swap(settled_);
    for (FilePlace& place : added_) place = place_of(*place.file);
  }

 private:
  static constexpr std::size_t few_removed = 64;
  void settle() const {
    if (!added_.empty() || !removed_.empty()) sort_in();
  }
  void sort_in() const;

  mutable std::vector<FilePlace> settled_{};  // ascending
  mutable std::vector<FilePlace> added_{};    // since
  mutable std::vector<FilePlace> removed_{};  // since: of those or of these
};

}  // namespace windrow
