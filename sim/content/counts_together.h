#pragma once

#include <boost/container/small_vector.hpp>
#include <boost/container/vector.hpp>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sim/content/content.h"

namespace windrow {

/// Members of sub-streams that come before points in time. Of sub-streams that come together (Together) all are counted
/// at once when one of them is asked for. Not for writers whose timestamps carry the row number.
class CountsTogether {
 public:
  /// One point in time, to be asked of many sub-streams.
  enum class Question : std::size_t {};

  explicit CountsTogether(const ContentSpace& space) : space_(&space) {}

  /// How many members have a write timestamp below this one.
  Question below_timestamp(Micros timestamp_us) { return question({What::stamped, timestamp_us}); }
  /// SubStream::count_arrived_before_s.
  Question arrived_before_s(Seconds second) { return question({What::arrived, second}); }

  std::int64_t count(int s, Question question) {
    const TableWorkload& workload = space_->workload();
    const std::size_t number = static_cast<std::size_t>(question);
    const std::size_t group = static_cast<std::size_t>(workload.group_of(s));
    if (!known_[number * workload.together().size() + group]) count_group(group, number);
    return counts_[number * workload.sub_streams().size() + workload.place_of(s)];
  }

 private:
  enum class What { stamped, arrived };
  struct Asked {
    What what = What::stamped;
    std::int64_t time = 0;
    friend bool operator==(const Asked&, const Asked&) = default;
  };
  Question question(const Asked& asked);
  void count_group(std::size_t group, std::size_t number);

  const ContentSpace* space_ = nullptr;
  boost::container::small_vector<Asked, 16> asked_{};
  std::vector<char> known_{};                        // by question and group
  boost::container::vector<std::int64_t> counts_{};  // by question and place of the sub-stream
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
    CountsTogether::Question before = counts_.arrived_before_s(first);
    for (const Cohort& cohort : cohorts_) {
      if (first == not_before_s) break;
      if (!which(cohort) || counts_.count(cohort.sub_stream, before) <= cohort.from) continue;
      first = space_->dates(cohort.sub_stream, cohort.from).arrival_s;
      before = counts_.arrived_before_s(first);
    }
    return first;
  }
  template <typename Which>
  Seconds last_s(const Which& which, Seconds not_after_s = INT64_MAX) {
    const Cohort* largest = largest_of(which);
    Seconds last = space_->dates(largest->sub_stream, largest->to - 1).arrival_s;
    CountsTogether::Question upto = counts_.arrived_before_s(last + 1);
    for (const Cohort& cohort : cohorts_) {
      if (last == not_after_s) break;
      if (!which(cohort) || counts_.count(cohort.sub_stream, upto) >= cohort.to) continue;
      last = space_->dates(cohort.sub_stream, cohort.to - 1).arrival_s;
      upto = counts_.arrived_before_s(last + 1);
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
