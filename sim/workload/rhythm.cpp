#include "sim/workload/rhythm.h"

#include <algorithm>
#include <limits>

#include "sim/base/check.h"

namespace windrow {

namespace {
constexpr std::int64_t forever = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t one = std::int64_t{1} << 32;  // a whole row
}  // namespace

Rhythm::Rhythm(std::int64_t begin, std::int64_t period, std::int64_t turns, bool spread)
    : stretches_{{.begin = begin, .period = period, .turns = turns}}, spread_(spread), end_(forever), total_(forever) {
  SIM_CHECK(period >= 1 && turns >= (spread ? 0 : 1), "a rhythm without period or entities");
}

void Rhythm::change_at(std::int64_t begin, std::int64_t period, std::int64_t turns) {
  SIM_CHECK(spread_ && period >= 1 && turns >= 0 && begin >= stretches_.back().begin,
            "only a spread rhythm changes its pace");
  const Stretch& last = stretches_.back();
  const Int128 due = static_cast<Int128>(last.first) * one + last.fraction +
                     static_cast<Int128>(begin - last.begin) * last.turns * one / last.period;
  const auto fraction = static_cast<std::int64_t>(due % one);
  add({.begin = begin,
       .first = static_cast<std::int64_t>(due / one),
       .fraction = fraction,
       .period = period,
       .turns = turns,
       .behind = static_cast<std::int64_t>((static_cast<Int128>(fraction) * period + one - 1) / one)});
}

void Rhythm::follow_with(std::int64_t begin, std::int64_t first, std::int64_t period, std::int64_t turns) {
  SIM_CHECK(period >= 1 && turns >= 0 && begin >= stretches_.back().begin && first >= stretches_.back().first,
            "stretches follow each other");
  add({.begin = begin, .first = first, .fraction = 0, .period = period, .turns = turns});
}

std::vector<std::int64_t> Rhythm::changes() const {
  std::vector<std::int64_t> begins;
  for (const Stretch& stretch : stretches_) begins.push_back(stretch.begin);
  return begins;
}

std::int64_t Rhythm::length(std::int64_t from, std::int64_t to) const {
  const Stretch& stretch = stretch_of(from);
  return std::max<std::int64_t>(1, mul_div_floor(to - from, stretch.period, stretch.turns));
}

void Rhythm::stop_at(std::int64_t end) {
  end_ = forever;
  total_ = count_before(end);
  end_ = end;
}

std::vector<Rhythm::Stretch>::const_iterator Rhythm::begun_by(std::int64_t g) const {
  if (stretches_.size() == 1) return stretches_.begin();
  const auto after = std::ranges::upper_bound(stretches_, g, {}, [](const Stretch& s) { return s.rows_before(); });
  return after == stretches_.begin() ? after : after - 1;
}

std::vector<Rhythm::Stretch>::const_iterator Rhythm::with_rows(std::vector<Stretch>::const_iterator stretch) const {
  while (stretch != stretches_.begin() && stretch->turns == 0) --stretch;
  return stretch;
}

void Rhythm::Cursor::find(std::int64_t g) {
  const auto begun = rhythm_->begun_by(g);
  const auto next = begun + 1;
  from_ = begun->rows_before();
  to_ = next == rhythm_->stretches_.end() ? forever : next->rows_before();
  stretch_ = &*rhythm_->with_rows(begun);
}

std::int64_t Rhythm::event_in_stretches(std::int64_t g) const { return event_in(stretch_of(g), g); }

std::int64_t Rhythm::event_in(const Stretch& stretch, std::int64_t g) const {
  if (stretch.turns == 0) return stretch.begin;  // no row ever happens
  const std::int64_t k = g - stretch.first;
  if (!spread_) return stretch.begin + k / stretch.turns * stretch.period;
  // Of a floor's numerator nothing below one matters: (k - fraction / 2^32) * period, rounded down.
  std::int64_t way = 0;
  if (!__builtin_mul_overflow(k, stretch.period, &way))
    return stretch.begin + floor_div(way - stretch.behind, stretch.turns);
  return stretch.begin +
         static_cast<std::int64_t>((static_cast<Int128>(k) * stretch.period - stretch.behind) / stretch.turns);
}

std::size_t Rhythm::begun_at(std::int64_t time) const {
  // Stretches of equal length lie where the time tells; of others it is a guess.
  const auto last = stretches_.size() - 1;
  if (last == 0) return 0;
  const auto guess =
      std::min(last, static_cast<std::size_t>(static_cast<double>(time - begin()) * stretches_per_time_));
  if (stretches_[guess].begin <= time && (guess == last || time < stretches_[guess + 1].begin)) return guess;
  const auto after = std::ranges::upper_bound(stretches_, time, {}, &Stretch::begin);
  return static_cast<std::size_t>(after - stretches_.begin()) - 1;
}

void Rhythm::Counter::find(std::int64_t time) {
  const std::size_t at = rhythm_->begun_at(time);
  stretch_ = &rhythm_->stretches_[at];
  from_ = std::max(stretch_->begin, rhythm_->begin() + 1);  // none happens before the begin
  to_ =
      at + 1 < rhythm_->stretches_.size() ? std::min(rhythm_->end_, rhythm_->stretches_[at + 1].begin) : rhythm_->end_;
}

void Rhythm::add(const Stretch& stretch) {
  stretches_.push_back(stretch);
  const auto span = static_cast<double>(stretch.begin - begin());
  if (span > 0) stretches_per_time_ = static_cast<double>(stretches_.size() - 1) / span;
}

std::int64_t Rhythm::total() const { return total_; }

}  // namespace windrow
