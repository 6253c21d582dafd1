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
  boost::container::small_vector<Token, 32> begins;
  boost::container::small_vector<std::size_t, 16> by_first;
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    by_first.push_back(i);
    begins.push_back(intervals[i].first_token);
    if (intervals[i].last_token != max_token) begins.push_back(intervals[i].last_token + 1);
  }
  std::ranges::sort(begins);
  begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
  std::ranges::sort(by_first, {}, [&](std::size_t place) { return intervals[place].first_token; });
  boost::container::small_vector<std::size_t, 16> inside;
  auto next = by_first.begin();
  for (std::size_t i = 0; i < begins.size(); ++i) {
    const Token last = i + 1 < begins.size() ? begins[i + 1] - 1 : max_token;
    inside.erase(std::remove_if(inside.begin(), inside.end(),
                                [&](std::size_t place) { return intervals[place].last_token < begins[i]; }),
                 inside.end());
    for (; next != by_first.end() && intervals[*next].first_token <= begins[i]; ++next) {
      inside.insert(std::upper_bound(inside.begin(), inside.end(), *next), *next);
    }
    each(begins[i], last, std::span<const std::size_t>(inside.data(), inside.size()));
  }
}

}  // namespace windrow
