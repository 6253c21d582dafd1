#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cmath>
#include <utility>
#include <vector>

#include "sim/engine/memory.h"

namespace windrow {

namespace {

std::int64_t rows_between(const std::vector<std::int64_t>& earlier, const std::vector<std::int64_t>& later) {
  std::int64_t rows = 0;
  for (std::size_t i = 0; i < earlier.size(); ++i) rows += later[i] - earlier[i];
  return rows;
}

}  // namespace

Micros MemtableWeight::find_data_reaches(double bytes, Micros from_us, Micros until_us) const {
  if (streams_.size() == 1 && streams_.front().sub != nullptr) {
    const Stream& only = streams_.front();
    const auto needed = static_cast<std::int64_t>(std::ceil(bytes / (only.data_per_row * correction_)));
    if (searched_.at_us != until_us) searched_ = {.at_us = until_us, .arrived = arrived(until_us)[0]};
    if (searched_.arrived - taken(only) < needed) return until_us;
    return std::max(from_us, arrival(only, needed - 1) + 1);
  }
  const Side first = side(from_us);
  const double data_at_first = data_of(first.arrived);
  if (data_at_first >= bytes && from_us <= until_us) return from_us;
  Side before = first;
  // Rows come about evenly: it is likely to be full when the last one was, then by what is missing and a few rows more,
  // so that the bracket closes from both ends.
  constexpr int most_looks = 24;
  constexpr std::int64_t few_rows = 16;
  constexpr double rows_beyond = 4;
  Side reached;
  bool full = false;
  auto guess_us = static_cast<double>(from_us + filled_in_us_);
  const auto look_at = [&](Micros at_us) {
    Side here = side(at_us);
    const double data = data_of(here.arrived);
    full = data >= bytes;
    const auto took_us = static_cast<double>(at_us - from_us);
    const auto rows = static_cast<double>(std::max<std::int64_t>(1, rows_between(first.arrived, here.arrived)));
    const double missing = data > data_at_first ? (bytes - data) / (data - data_at_first) * rows : 0;
    guess_us = static_cast<double>(at_us) + (missing + (full ? -rows_beyond : rows_beyond)) * took_us / rows;
    (full ? reached : before) = std::move(here);
  };
  const auto guess_after = [&](Micros at_us) { return guess_us >= static_cast<double>(at_us + 1); };
  constexpr int looks_ahead = 3;  // then at the end
  for (int look = 0; look < looks_ahead && !full; ++look) {
    if (!guess_after(before.at_us) || guess_us >= static_cast<double>(until_us)) break;
    look_at(static_cast<Micros>(guess_us));
  }
  if (!full) {
    reached = side(until_us);
    if (data_of(reached.arrived) < bytes) return until_us;
  }
  for (int look = 0; look < most_looks && rows_between(before.arrived, reached.arrived) > few_rows &&
                     reached.at_us - before.at_us > 1;
       ++look) {
    const bool inside = guess_after(before.at_us) && guess_us < static_cast<double>(reached.at_us);
    look_at(inside ? static_cast<Micros>(guess_us) : before.at_us + (reached.at_us - before.at_us) / 2);
  }
  Side full_at = data_reaches_between(bytes, std::move(before), std::move(reached));
  const Micros at_us = full_at.at_us;
  remember(std::move(full_at));
  return at_us;
}

void MemtableWeight::remember(Side here) const {
  if (here.at_us > closed_us_ || streams_.empty() || streams_.back().sub == nullptr) return;  // deletes are the last
  if (!arrivals_->loses_some()) arrivals_->know_sent_before(here.at_us, here.arrived);
  newest_arrived_ = 1 - newest_arrived_;
  Arrived& arrived = arrived_[newest_arrived_];
  arrived.from_us = arrived.to_us = here.at_us;
  arrived.members = std::move(here.arrived);
}

MemtableWeight::Side MemtableWeight::data_reaches_between(double bytes, Side before, Side reached) const {
  Side middle = before;
  const std::span<const std::int64_t> kinds = by_kind(middle.arrived);
  boost::container::small_vector<std::int64_t, 16> all(kinds.begin(), kinds.end());
  const auto put = [&](std::size_t s, std::int64_t arrived) {
    all[kind_of_[s]] += arrived - middle.arrived[s];
    middle.arrived[s] = arrived;
  };
  boost::container::small_vector<std::size_t, 16> differ;  // streams of which some come between the two
  for (std::size_t s = 0; s < streams_.size(); ++s) {
    if (before.arrived[s] != reached.arrived[s]) differ.push_back(s);
  }
  while (reached.at_us - before.at_us > 1) {
    if (differ.size() == 1) {  // one of its rows is the last that was missing
      const std::size_t s = differ.front();
      std::int64_t low = before.arrived[s];
      std::int64_t high = reached.arrived[s];
      while (high - low > 1) {
        put(s, low + (high - low) / 2);
        (data_of_kinds({all.data(), all.size()}) < bytes ? low : high) = middle.arrived[s];
      }
      // Of all others none comes between the two times.
      middle.at_us = arrival(streams_[s], high - 1 - taken_[s]) + 1;
      middle.arrived[s] = arrived(streams_[s], middle.at_us);
      return middle;
    }
    middle.at_us = before.at_us + (reached.at_us - before.at_us) / 2;
    for (const std::size_t s : differ) put(s, arrived(streams_[s], middle.at_us));
    Side& side = data_of_kinds({all.data(), all.size()}) < bytes ? before : reached;
    side.at_us = middle.at_us;
    for (const std::size_t s : differ) side.arrived[s] = middle.arrived[s];
    const auto same = [&](std::size_t s) { return before.arrived[s] == reached.arrived[s]; };
    for (const std::size_t s : differ) {
      if (same(s)) put(s, before.arrived[s]);
    }
    differ.erase(std::remove_if(differ.begin(), differ.end(), same), differ.end());
  }
  return reached;
}

}  // namespace windrow
