#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>

namespace windrow {

/// Calls `each(value)` for the values in (first, last] at which an unsigned vint of value - base changes its size;
/// below the base it has 9 bytes.
template <typename Each>
void each_date_step(std::int64_t base, std::int64_t first, std::int64_t last, const Each& each) {
  if (first < base && base <= last) each(base);
  for (int bits = 7; bits <= 56; bits += 7) {
    const std::int64_t step = base + (std::int64_t{1} << bits);
    if (step > last) break;
    if (step > first) each(step);
  }
}

/// each_date_step with the first row that is not below each value, `first_row` of a cohort or one after it: by
/// `not_below`, asked from the last value down until it says that none is below.
template <typename NotBelow, typename Each>
void each_step_row(std::int64_t base, std::int64_t first, std::int64_t last, std::int64_t first_row,
                   const NotBelow& not_below, const Each& each) {
  struct Step {
    std::int64_t value = 0;
    std::int64_t row = 0;
  };
  boost::container::small_vector<Step, 10> steps;
  each_date_step(base, first, last, [&](std::int64_t value) { steps.push_back({value, first_row}); });
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    step->row = not_below(step->value);
    if (step->row == first_row) break;
  }
  for (const Step& step : steps) each(step.value, step.row);
}

/// True if each_date_step would call for one.
inline bool any_date_step(std::int64_t base, std::int64_t first, std::int64_t last) {
  bool any = false;
  each_date_step(base, first, last, [&any](std::int64_t) { any = true; });
  return any;
}

}  // namespace windrow
