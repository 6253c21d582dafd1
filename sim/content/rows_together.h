#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/content/content.h"
#include "sim/content/counts_together.h"
#include "sim/content/file_statistics.h"
#include "sim/content/row_bodies.h"

namespace windrow {

/// Cohorts whose sub-streams come together, looked at for less than each by itself. Rows of one writer, state and TTL
/// are of one kind: their bodies differ by values and by how many bytes their dates take.
class RowsTogether {
 public:
  /// True if a look at all of them tells what a look at each would.
  static bool fit(const ContentSpace& space, std::span<const Cohort> cohorts);

  RowsTogether(const ContentSpace& space, std::span<const Cohort> cohorts);

  /// feed_extremes of each cohort; finds dates(). No timestamp is below `not_below_us`.
  void feed_extremes(Micros not_below_us, FileExtremes& extremes);
  /// Once extremes are known: where dates take another byte.
  void find_steps(const RowFormat& format);
  /// Counts the rows of a cohort; false, and nothing, where values of its rows have several sizes.
  bool take(std::size_t cohort);
  /// Of what was taken: rows, and cells into `extremes`; bodies into `bodies`.
  Rows give(FileExtremes& extremes, RowsOfBodies& bodies) const;

  CountsTogether& counts() { return ends_.counts(); }
  /// Bounds of the dates of all cohorts.
  const CohortDates& dates() const { return dates_; }

 private:
  /// How long after the write something of a row may be dropped; no_deletion_time: something that never is.
  using Drops = boost::container::small_vector<Seconds, 2>;
  struct Kind {
    const Writer* writer = nullptr;
    RowState state = RowState::live;
    std::int32_t ttl_s = 0;
    const RowShape* shape = nullptr;
    Drops drops{};
    bool one_size = false;  // of values
    RowBodies bodies{};
  };
  std::size_t kind_of(const Cohort& cohort);

  const ContentSpace* space_;
  std::span<const Cohort> cohorts_;
  EndsOfCohorts ends_;
  CohortDates dates_{};
  std::vector<Kind> kinds_{};
  std::vector<std::uint32_t> kind_of_{};                                                     // by cohort
  boost::container::small_vector<CountsTogether::Question, RowBodies::most_steps> steps_{};  // of timestamps
};

}  // namespace windrow
