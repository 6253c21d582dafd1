#pragma once

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <span>

#include "sim/base/units.h"

namespace windrow {

/// Divides the ring where intervals of tokens begin or end, from the first of them on. Calls `each(first, last,
/// inside)` for every piece, ascending; `inside` has the places of the intervals that hold it, ascending, and may be
/// empty. An interval has first_token and last_token, both inclusive.
template <typename Interval, typename Each>
void sweep_tokens(std::span<const Interval> intervals, const Each& each) {
  struct Change {
    Token at = 0;
    std::size_t place = 0;
    bool begins = false;
  };
  boost::container::small_vector<Change, 64> changes;
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    changes.push_back({intervals[i].first_token, i, true});
    if (intervals[i].last_token != max_token) changes.push_back({intervals[i].last_token + 1, i, false});
  }
  std::ranges::sort(changes, {}, &Change::at);
  boost::container::small_vector<std::size_t, 16> inside;
  for (auto next = changes.begin(); next != changes.end();) {
    const Token first = next->at;
    for (; next != changes.end() && next->at == first; ++next) {
      const auto place = std::lower_bound(inside.begin(), inside.end(), next->place);
      if (next->begins) {
        inside.insert(place, next->place);
      } else {
        inside.erase(place);
      }
    }
    const Token last = next != changes.end() ? next->at - 1 : max_token;
    each(first, last, std::span<const std::size_t>(inside.data(), inside.size()));
  }
}

}  // namespace windrow
