#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sim/content/content.h"
#include "sim/content/counts_together.h"
#include "sim/content/file_statistics.h"
#include "sim/content/row_pieces.h"

namespace windrow {

/// How many rows have bodies, with their values, of which size.
class RowsOfBodies {
 public:
  void add(std::int64_t body, Rows rows);
  /// Calls `each(body, rows)`.
  template <typename Each>
  void each(const Each& each) const {
    for (const auto& [body, rows] : rows_) each(body, rows);
  }

 private:
  boost::container::small_vector<std::pair<std::int64_t, Rows>, 32> rows_{};
};

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
  static constexpr std::size_t most_steps = 10;
  /// How long after the write something of a row may be dropped; no_deletion_time: something that never is.
  using Drops = boost::container::small_vector<Seconds, 2>;
  /// Of local deletion times so long after the write: before which seconds of arrival they take how many bytes.
  struct DeletionSteps {
    boost::container::small_vector<Seconds, 2> arrivals_s{};
    boost::container::small_vector<std::int64_t, 3> bytes{};  // one more
  };
  struct Kind {
    const Writer* writer = nullptr;
    RowState state = RowState::live;
    std::int32_t ttl_s = 0;
    const RowShape* shape = nullptr;
    Drops drops{};
    bool one_size = false;  // of values
    DeletionSteps expiry{};
    DeletionSteps death{};
    // By bytes of the date of death, of expiry, and of the timestamp, the latter next to each other:
    boost::container::small_vector<std::int64_t, most_steps> bodies{};  // with values
    boost::container::small_vector<Rows, most_steps> members{};
  };
  std::size_t kind_of(const Cohort& cohort);
  void find_steps(const RowFormat& format, Seconds after_write_s, DeletionSteps& steps) const;

  const ContentSpace* space_;
  std::span<const Cohort> cohorts_;
  EndsOfCohorts ends_;
  CohortDates dates_{};
  std::vector<Kind> kinds_{};
  std::vector<std::uint32_t> kind_of_{};                                          // by cohort
  boost::container::small_vector<CountsTogether::Question, most_steps> steps_{};  // of timestamps
};

}  // namespace windrow
