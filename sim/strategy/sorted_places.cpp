#include "sim/strategy/sorted_places.h"

#include <algorithm>
#include <iterator>

#include "sim/base/check.h"

namespace windrow {

namespace {

constexpr auto not_there = "a file leaves an order that it is not in";

}  // namespace

void SortedPlaces::sort_in() const {
  constexpr std::size_t few = 4;
  if (added_.size() + removed_.size() <= few) {
    for (const FilePlace& place : added_)
      settled_.insert(std::upper_bound(settled_.begin(), settled_.end(), place), place);
    for (const FilePlace& place : removed_) {
      const auto found = std::lower_bound(settled_.begin(), settled_.end(), place);
      SIM_CHECK(found != settled_.end() && !(place < *found), not_there);
      settled_.erase(found);
    }
  } else {
    std::sort(added_.begin(), added_.end());
    std::sort(removed_.begin(), removed_.end());
    const auto before = static_cast<std::ptrdiff_t>(settled_.size());
    settled_.insert(settled_.end(), added_.begin(), added_.end());
    std::inplace_merge(settled_.begin(), settled_.begin() + before, settled_.end());
    std::vector<FilePlace> left;
    left.reserve(settled_.size());
    std::set_difference(settled_.begin(), settled_.end(), removed_.begin(), removed_.end(), std::back_inserter(left));
    SIM_CHECK(left.size() + removed_.size() == settled_.size(), not_there);
    settled_.swap(left);
  }
  added_.clear();
  removed_.clear();
}

}  // namespace windrow
