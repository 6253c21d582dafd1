#include "sim/content/counts_together.h"

#include <algorithm>

namespace windrow {

CountsTogether::Question CountsTogether::question(const Asked& asked) {
  for (std::size_t known = asked_.size(); known-- > 0;) {  // those asked last are asked again
    if (asked_[known] == asked) return Question{known};
  }
  const TableWorkload& workload = space_->workload();
  if (asked_.empty()) {
    known_.reserve(asked_.capacity() * workload.together().size());
    counts_.reserve(asked_.capacity() * workload.sub_streams().size());
  }
  asked_.push_back(asked);
  known_.resize(asked_.size() * workload.together().size());
  counts_.resize(asked_.size() * workload.sub_streams().size(), boost::container::default_init);
  return Question{asked_.size() - 1};
}

void CountsTogether::count_group(std::size_t group, std::size_t number) {
  const TableWorkload& workload = space_->workload();
  const Together& together = workload.together()[group];
  const SubStream& any = space_->sub_stream(together.sub_streams.front());
  const auto& [what, time] = asked_[number];
  const std::int64_t rows = what == What::stamped ? any.rows_below_timestamp(time)
                                                  : any.rows_arrived_before(time * us_per_s / any.writer().unit_us);
  std::int64_t* const counts = counts_.data() + number * workload.sub_streams().size() + together.first_place;
  together.shares.ranks(rows, {counts, together.sub_streams.size()});
  known_[number * workload.together().size() + group] = true;
}

Micros EndsOfCohorts::oldest_us(Micros not_below_us) {
  const Cohort* largest = largest_of([](const Cohort&) { return true; });
  Micros oldest = space_->dates(largest->sub_stream, largest->from).timestamp_us;
  const int first_group = space_->workload().group_of(largest->sub_stream);
  CountsTogether::Question before = counts_.below_timestamp(oldest);
  // Most rows come with those of the largest: one of these is likely to be the oldest.
  for (const bool of_first : {true, false}) {
    for (const Cohort& cohort : cohorts_) {
      if (oldest <= not_below_us) return oldest;
      if ((space_->workload().group_of(cohort.sub_stream) == first_group) != of_first) continue;
      if (counts_.count(cohort.sub_stream, before) <= cohort.from) continue;
      oldest = space_->dates(cohort.sub_stream, cohort.from).timestamp_us;
      before = counts_.below_timestamp(oldest);
    }
  }
  return oldest;
}

std::pair<Seconds, Seconds> EndsOfCohorts::arrivals_within_s(Micros oldest_us, Micros newest_us) {
  const Writer& writer = space_->writer_of(cohorts_.front());
  const bool stamped_at_arrival = std::ranges::all_of(cohorts_, [&](const Cohort& cohort) {
    const SubStream& sub = space_->sub_stream(cohort.sub_stream);
    return &sub.writer() == &writer && sub.brings() == Brings::rows && !writer.timestamp.from_event;
  });
  if (stamped_at_arrival) {
    const Micros offset_us = writer.timestamp.offset_us;
    return {(oldest_us - offset_us) / us_per_s, (newest_us - offset_us) / us_per_s};
  }
  const auto any = [](const Cohort&) { return true; };
  return {first_s(any), last_s(any)};
}

Micros EndsOfCohorts::newest_us() {
  const Cohort* largest = largest_of([](const Cohort&) { return true; });
  Micros newest = space_->dates(largest->sub_stream, largest->to - 1).timestamp_us;
  CountsTogether::Question upto = counts_.below_timestamp(newest + 1);
  for (const Cohort& cohort : cohorts_) {
    if (counts_.count(cohort.sub_stream, upto) >= cohort.to) continue;
    newest = space_->dates(cohort.sub_stream, cohort.to - 1).timestamp_us;
    upto = counts_.below_timestamp(newest + 1);
  }
  return newest;
}

bool worth_counting_together(const ContentSpace& space, std::span<const Cohort> cohorts) {
  constexpr std::size_t few = 8;
  const TableWorkload& workload = space.workload();
  return cohorts.size() >= few && 2 * workload.together().size() <= workload.sub_streams().size() &&
         std::ranges::all_of(cohorts, [&](const Cohort& cohort) {
           return cohort.whole() && !space.writer_of(cohort).timestamp.add_row_number;
         });
}

}  // namespace windrow
