#include "sim/content/smooth_partitions.h"

#include <cmath>
#include <tuple>

namespace windrow {

SmoothPartitions::SmoothPartitions(const ContentSpace& space, const CohortsOfWriter& all,
                                   std::span<const Cohort* const> cohorts)
    : space_(space), writer_(space.writer_of(*cohorts.front())) {
  for (const Cohort* cohort : cohorts) {
    Held& held = held_.emplace_back();
    held.cohort = cohort;
    if (const LatticeCohort* found = all.found_of(*cohort)) {
      held.first_bucket = found->first_bucket;
      held.last_bucket = found->last_bucket;
      held.positions = found->held;
    } else {
      std::tie(held.first_bucket, held.last_bucket) = space.buckets(*cohort);
      held.positions = space.lattice()->positions(space, *cohort);
    }
    borders_.push_back(held.positions.first);
    borders_.push_back(held.positions.last);
  }
  std::ranges::sort(borders_, {}, &TokenLattice::Border::position);
  const auto same = [](const auto& a, const auto& b) { return a.position == b.position; };
  borders_.erase(std::unique(borders_.begin(), borders_.end(), same), borders_.end());
}

std::int64_t SmoothPartitions::in_run(std::int64_t first, std::int64_t last) {
  choose(first, last);
  if (chosen_.empty()) return 0;
  if (first == last) return in_chosen(first);
  const std::int64_t buckets = last - first + 1;
  look(last);
  const bool clear_at_last = all_or_none();
  look(first);
  if (clear_at_last && all_or_none()) {
    std::int64_t partitions = 0;
    for (std::size_t i = first_interval_; i < end_interval_; ++i) {
      if (share_of(i) == Share::all) partitions += count(first, last, i);
    }
    return partitions;
  }
  const std::int64_t at_first = in_chosen(first);
  const std::int64_t at_last = in_chosen(last);
  if (std::abs(at_last - at_first) <= 2 + std::max(at_first, at_last) / 100) return (at_first + at_last) * buckets / 2;
  std::int64_t partitions = 0;
  for (std::int64_t bucket = first; bucket <= last; ++bucket) partitions += in_chosen(bucket);
  return partitions;
}

/// The cohorts that have rows in some of these buckets, and the intervals that these lie in: all that counts there.
void SmoothPartitions::choose(std::int64_t first, std::int64_t last) {
  chosen_.clear();
  std::int64_t first_position = INT64_MAX;
  std::int64_t last_position = INT64_MIN;
  for (Held& held : held_) {
    if (held.first_bucket > last || held.last_bucket < first) continue;
    chosen_.push_back(&held);
    first_position = std::min(first_position, held.positions.first.position);
    last_position = std::max(last_position, held.positions.last.position);
  }
  const auto place_of = [&](std::int64_t position) {
    const auto at = std::ranges::lower_bound(borders_, position, {}, &TokenLattice::Border::position);
    return static_cast<std::size_t>(at - borders_.begin());
  };
  first_interval_ = place_of(first_position);
  end_interval_ = place_of(last_position);
}

std::int64_t SmoothPartitions::in_chosen(std::int64_t bucket) {
  look(bucket);
  std::int64_t partitions = 0;
  for (std::size_t i = first_interval_; i < end_interval_; ++i) partitions += in_interval(bucket, i);
  return partitions;
}

void SmoothPartitions::look(std::int64_t bucket) {
  for (Held* held : chosen_) {
    std::tie(held->from, held->to) = space_.members_in(*held->cohort, bucket);
    const bool full = held->to - held->from >= writer_.most_slots() && !held->cohort->slots;
    held->share = held->from >= held->to ? Share::none : full ? Share::all : Share::some;
  }
}

bool SmoothPartitions::covers(const Held& held, std::size_t interval) const {
  return held.positions.first.position <= borders_[interval].position &&
         held.positions.last.position >= borders_[interval + 1].position;
}

SmoothPartitions::Share SmoothPartitions::share_of(std::size_t interval) const {
  Share most = Share::none;
  for (const Held* held : chosen_) {
    if (covers(*held, interval)) most = std::max(most, held->share);
  }
  return most;
}

bool SmoothPartitions::all_or_none() const {
  for (std::size_t i = first_interval_; i < end_interval_; ++i) {
    if (share_of(i) == Share::some) return false;
  }
  return true;
}

std::int64_t SmoothPartitions::count(std::int64_t first, std::int64_t last, std::size_t interval) const {
  const std::int64_t round = writer_.bucket_of(0);
  return held_.front().positions.lattice->count_partitions(first - round, last + 1 - round, borders_[interval],
                                                           borders_[interval + 1]);
}

std::int64_t SmoothPartitions::in_interval(std::int64_t bucket, std::size_t interval) const {
  const Share share = share_of(interval);
  if (share == Share::none) return 0;
  const std::int64_t there = count(bucket, bucket, interval);
  if (share == Share::all || there == 0) return there;
  double missing = 1;  // share of these partitions of which none has a row: cohorts meet by chance
  for (const Held* held : chosen_) {
    if (held->share == Share::none || !covers(*held, interval)) continue;
    LatticePositions inside = held->positions;
    inside.first = borders_[interval];
    inside.last = borders_[interval + 1];
    const std::int64_t rows = inside.count(held->from, held->to);
    missing *= 1 - static_cast<double>(std::min(rows, there)) / static_cast<double>(there);
  }
  return std::llround(static_cast<double>(there) * (1 - missing));
}

}  // namespace windrow
