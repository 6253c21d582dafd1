#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <span>

#include "sim/content/content.h"

namespace windrow {

/// Members of sub-streams that come before points in time. Of sub-streams that come together (Together) all are counted
/// at once, and the latest of these counts are remembered: to be asked of one such group after another. Not for writers
/// whose timestamps carry the row number.
class CountsTogether {
 public:
  explicit CountsTogether(const ContentSpace& space) : space_(&space) {}

  /// Members of sub-stream `s` whose write timestamps are below this one.
  std::int64_t below_timestamp(int s, Micros timestamp_us) { return count(s, {Question::stamped, timestamp_us}); }
  /// SubStream::count_arrived_before_s.
  std::int64_t arrived_before_s(int s, Seconds second) { return count(s, {Question::arrived, second}); }

 private:
  struct Question {
    enum What { stamped, arrived } what = stamped;
    std::int64_t time = 0;
    friend bool operator==(const Question&, const Question&) = default;
  };
  std::int64_t count(int s, const Question& question);
  std::int64_t rows(const SubStream& sub, const Question& question) const;

  const ContentSpace* space_ = nullptr;
  int group_ = -1;
  boost::container::small_vector<Question, 16> asked_{};        // of that group
  boost::container::small_vector<std::int64_t, 256> counts_{};  // the same, by sub-stream
};

/// The first and the last of what some whole cohorts hold, found for less than to look at the ends of each: of the
/// largest, and then of those alone that counts tell to have earlier or later members. Timestamps do not carry the row
/// number.
class EndsOfCohorts {
 public:
  EndsOfCohorts(const ContentSpace& space, std::span<const Cohort> cohorts) : space_(&space), cohorts_(cohorts) {}

  /// None is older than `not_below_us`.
  Micros oldest_us(Micros not_below_us = INT64_MIN);
  Micros newest_us();
  /// Bounds of all arrivals: close where timestamps are those of arrivals.
  std::pair<Seconds, Seconds> arrivals_within_s(Micros oldest_us, Micros newest_us);
  /// First and last arrival; of those cohorts that `which` holds of, one at least. None arrives before `not_before_s`
  /// or after `not_after_s`.
  template <typename Which>
  Seconds first_s(const Which& which, Seconds not_before_s = INT64_MIN) {
    const Cohort* largest = largest_of(which);
    Seconds first = space_->dates(largest->sub_stream, largest->from).arrival_s;
    for (const Cohort& cohort : cohorts_) {
      if (first == not_before_s) break;
      if (which(cohort) && counts_.arrived_before_s(cohort.sub_stream, first) > cohort.from)
        first = space_->dates(cohort.sub_stream, cohort.from).arrival_s;
    }
    return first;
  }
  template <typename Which>
  Seconds last_s(const Which& which, Seconds not_after_s = INT64_MAX) {
    const Cohort* largest = largest_of(which);
    Seconds last = space_->dates(largest->sub_stream, largest->to - 1).arrival_s;
    for (const Cohort& cohort : cohorts_) {
      if (last == not_after_s) break;
      if (which(cohort) && counts_.arrived_before_s(cohort.sub_stream, last + 1) < cohort.to)
        last = space_->dates(cohort.sub_stream, cohort.to - 1).arrival_s;
    }
    return last;
  }
  CountsTogether& counts() { return counts_; }

 private:
  template <typename Which>
  const Cohort* largest_of(const Which& which) const {
    const Cohort* largest = nullptr;
    for (const Cohort& cohort : cohorts_) {
      if (which(cohort) && (largest == nullptr || cohort.to - cohort.from > largest->to - largest->from))
        largest = &cohort;
    }
    return largest;
  }

  const ContentSpace* space_;
  std::span<const Cohort> cohorts_;
  CountsTogether counts_{*space_};
};

/// True if it pays to look at these cohorts together: several are of sub-streams that come together, each is whole, and
/// timestamps do not carry the row number.
bool worth_counting_together(const ContentSpace& space, std::span<const Cohort> cohorts);

}  // namespace windrow
