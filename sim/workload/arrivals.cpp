#include "sim/workload/arrivals.h"

#include <algorithm>
#include <limits>

#include "sim/base/check.h"

namespace windrow {

namespace {

constexpr std::int64_t until_further_notice = std::numeric_limits<std::int64_t>::max();

}  // namespace

Arrivals::Arrivals(const TableWorkload& workload) : workload_(&workload) { find_lost(); }

void Arrivals::lose_what_is_lost_by(int node) {
  node_ = node;
  find_lost();
}

void Arrivals::stop(std::int64_t time) {
  SIM_CHECK(away_.empty() || away_.back().second <= time, "a node goes away once");
  away_.emplace_back(time, until_further_notice);
  find_lost();
}

void Arrivals::resume(std::int64_t time) {
  SIM_CHECK(!away_.empty() && away_.back().second == until_further_notice, "a node comes back that was not away");
  SIM_CHECK(away_.back().first <= time, "a node comes back before it went");
  away_.back().second = time;
  find_lost();
}

bool Arrivals::missed(std::int64_t time) const {
  return std::ranges::any_of(away_, [time](const auto& away) { return away.first <= time && time < away.second; });
}

bool Arrivals::loses(const KeyedArrival& arrival) const {
  if (node_ < 0 || missed(arrival.place.time)) return false;
  if (arrival.sub_stream >= 0)
    return workload_->sub_streams()[static_cast<std::size_t>(arrival.sub_stream)].lost_by() == node_;
  return workload_->deletes_of(arrival.place.writer).covering[static_cast<std::size_t>(arrival.member)].lost_by ==
         node_;
}

void Arrivals::find_lost() {
  ++changes_;
  lost_.clear();
  for (const SubStream& sub : workload_->sub_streams()) {
    Intervals& lost = lost_.emplace_back(sub.unsent());
    const bool loses = node_ >= 0 && sub.lost_by() == node_;
    if (away_.empty() && !loses) continue;
    const std::int64_t all = sub.rank(sub.writer().rhythm.total());
    if (loses) {
      lost.clear();
      if (all > 0) lost.emplace_back(0, all);
      continue;
    }
    for (const auto& [from, to] : away_) {
      const std::int64_t first = std::min(all, sub.count_arrived_before(from));
      const std::int64_t last = to == until_further_notice ? all : std::min(all, sub.count_arrived_before(to));
      if (first < last) lost.emplace_back(first, last);
    }
    std::ranges::sort(lost);
    std::size_t joined = 0;
    for (std::size_t i = 1; i < lost.size(); ++i) {
      if (lost[i].first > lost[joined].second) {
        lost[++joined] = lost[i];
      } else {
        lost[joined].second = std::max(lost[joined].second, lost[i].second);
      }
    }
    if (!lost.empty()) lost.resize(joined + 1);
  }
  loses_some_ = std::ranges::any_of(lost_, [](const Intervals& lost) { return !lost.empty(); });
}

std::int64_t Arrivals::count_before(int s, std::int64_t time) const {
  return arrived_of(s, workload_->sub_streams()[static_cast<std::size_t>(s)].count_arrived_before(time));
}

std::size_t Arrivals::latest_or_oldest(std::int64_t time) const {
  std::size_t place = 0;
  for (std::size_t i = 0; i < sent_.size(); ++i) {
    if (sent_[i].asked > 0 && sent_[i].time == time) return i;
    if (sent_[i].asked < sent_[place].asked) place = i;
  }
  return place;
}

void Arrivals::know_sent_before(std::int64_t time, std::span<const std::int64_t> members) const {
  latest_ = latest_or_oldest(time);
  sent_[latest_].time = time;
  sent_[latest_].asked = ++questions_;
  sent_[latest_].members.assign(members.begin(), members.end());
}

std::size_t Arrivals::place_of(std::int64_t time) const {
  const std::size_t place = latest_or_oldest(time);
  Sent& sent = sent_[place];
  const bool known = sent.asked > 0 && sent.time == time;
  sent.time = time;
  sent.asked = ++questions_;
  if (known) return place;
  sent.members.resize(workload_->sub_streams().size());
  ranks_.resize(workload_->room_for_ranks());
  workload_->ranks(
      [time](const SubStream& sub, Rhythm::Counter& counter) { return sub.rows_arrived_before(time, counter); },
      ranks_);
  const std::span<const std::size_t> places = workload_->places();
  const std::int64_t* const ranks = ranks_.data();
  std::int64_t* const members = sent.members.data();
  for (std::size_t s = 0; s < places.size(); ++s) members[s] = ranks[places[s]];
  return place;
}

}  // namespace windrow
