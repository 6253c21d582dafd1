#include "sim/workload/rhythm.h"

#include <algorithm>
#include <limits>

#include "sim/base/arithmetic.h"
#include "sim/base/check.h"

namespace windrow {

namespace {
constexpr std::int64_t forever = std::numeric_limits<std::int64_t>::max();
}

Rhythm::Rhythm(std::int64_t begin, std::int64_t period, std::int64_t turns, bool spread)
    : stretches_{{.begin = begin, .first = 0, .period = period, .turns = turns}},
      spread_(spread),
      end_(forever),
      total_(forever) {
  SIM_CHECK(period >= 1 && turns >= 1, "a rhythm without period or entities");
}

void Rhythm::change_at(std::int64_t begin, std::int64_t period, std::int64_t turns) {
  SIM_CHECK(spread_ && period >= 1 && turns >= 0, "only a spread rhythm changes its pace");
  const std::int64_t first = count_before(begin);
  stretches_.push_back({.begin = begin, .first = first, .period = period, .turns = turns});
}

void Rhythm::stop_at(std::int64_t end) {
  end_ = forever;
  total_ = count_before(end);
  end_ = end;
}

std::int64_t Rhythm::count_in(const Stretch& stretch, std::int64_t elapsed) const {
  if (elapsed <= 0 || stretch.turns == 0) return 0;
  if (spread_) return mul_div_ceil(elapsed, stretch.turns, stretch.period);
  return ceil_div(elapsed, stretch.period) * stretch.turns;
}

std::int64_t Rhythm::event(std::int64_t g) const {
  auto stretch = stretches_.end() - 1;
  while (stretch != stretches_.begin() && (stretch->first > g || stretch->turns == 0)) --stretch;
  const std::int64_t k = g - stretch->first;
  if (spread_) return stretch->begin + mul_div_floor(k, stretch->period, stretch->turns);
  return stretch->begin + k / stretch->turns * stretch->period;
}

std::int64_t Rhythm::count_before(std::int64_t time) const {
  if (time >= end_) return total_;
  const auto after = std::ranges::upper_bound(stretches_, time, {}, &Stretch::begin);
  if (after == stretches_.begin()) return 0;
  const Stretch& stretch = *(after - 1);
  return stretch.first + count_in(stretch, time - stretch.begin);
}

std::int64_t Rhythm::total() const { return total_; }

}  // namespace windrow
