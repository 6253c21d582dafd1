#include "sim/content/counts_together.h"

#include <algorithm>

namespace windrow {

std::int64_t CountsTogether::rows(const SubStream& sub, const Question& question) const {
  if (question.what == Question::stamped) return sub.rows_below_timestamp(question.time);
  return sub.rows_arrived_before(question.time * us_per_s / sub.writer().unit_us);
}

std::int64_t CountsTogether::count(int s, const Question& question) {
  const SubStream& sub = space_->sub_stream(s);
  const int number = space_->workload().group_of(s);
  const Together& group = space_->workload().together()[static_cast<std::size_t>(number)];
  const std::size_t size = group.sub_streams.size();
  if (size == 1) return sub.rank(rows(sub, question));
  if (number != group_ || asked_.size() == asked_.capacity()) {
    group_ = number;
    asked_.clear();
    counts_.clear();
  }
  const auto place =
      static_cast<std::size_t>(std::ranges::lower_bound(group.sub_streams, s) - group.sub_streams.begin());
  std::size_t known = 0;
  while (known < asked_.size() && asked_[known] != question) ++known;
  if (known == asked_.size()) {
    asked_.push_back(question);
    counts_.resize(asked_.size() * size, boost::container::default_init);
    group.shares.ranks(rows(sub, question), {counts_.data() + known * size, size});
  }
  return counts_[known * size + place];
}

Micros EndsOfCohorts::oldest_us(Micros not_below_us) {
  const Cohort* largest = largest_of([](const Cohort&) { return true; });
  Micros oldest = space_->dates(largest->sub_stream, largest->from).timestamp_us;
  const int first_group = space_->workload().group_of(largest->sub_stream);
  // Most rows come with those of the largest: one of these is likely to be the oldest.
  for (const bool of_first : {true, false}) {
    for (const Cohort& cohort : cohorts_) {
      if (oldest <= not_below_us) return oldest;
      if ((space_->workload().group_of(cohort.sub_stream) == first_group) != of_first) continue;
      if (counts_.below_timestamp(cohort.sub_stream, oldest) > cohort.from)
        oldest = space_->dates(cohort.sub_stream, cohort.from).timestamp_us;
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
  for (const Cohort& cohort : cohorts_) {
    if (counts_.below_timestamp(cohort.sub_stream, newest + 1) < cohort.to)
      newest = space_->dates(cohort.sub_stream, cohort.to - 1).timestamp_us;
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
