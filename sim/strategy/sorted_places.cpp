#include "sim/strategy/sorted_places.h"

#include <algorithm>
#include <cstddef>

#include "sim/base/check.h"

namespace windrow {

namespace {

constexpr auto not_there = "a file leaves an order that it is not in";

}  // namespace

void SortedPlaces::sort_in() const {
  // What lies between two that come, or two that go, moves once.
  std::sort(added_.begin(), added_.end());
  auto end = static_cast<std::ptrdiff_t>(settled_.size());
  settled_.resize(settled_.size() + added_.size());
  auto into = settled_.end();
  for (auto place = added_.rbegin(); place != added_.rend(); ++place) {
    const auto last = settled_.begin() + end;
    const auto at = std::upper_bound(settled_.begin(), last, *place);
    into = std::move_backward(at, last, into);
    *--into = *place;
    end = at - settled_.begin();
  }
  added_.clear();
  if (removed_.empty()) return;
  std::sort(removed_.begin(), removed_.end());
  auto from = std::lower_bound(settled_.begin(), settled_.end(), removed_.front());
  auto left = from;
  for (const FilePlace& place : removed_) {
    const auto found = std::lower_bound(from, settled_.end(), place);
    SIM_CHECK(found != settled_.end() && !(place < *found), not_there);
    left = std::move(from, found, left);
    from = found + 1;
  }
  settled_.erase(std::move(from, settled_.end(), left), settled_.end());
  removed_.clear();
}

}  // namespace windrow
