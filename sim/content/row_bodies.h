#pragma once

#include <algorithm>
#include <array>
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <span>
#include <utility>

#include "sim/content/content.h"
#include "sim/content/row_pieces.h"

namespace windrow {

/// How many rows of which writer have bodies, with their values, of which size.
class RowsOfBodies {
 public:
  void add(const Writer& writer, std::int64_t body, Rows rows);
  /// Calls `each(writer, body, rows)`.
  template <typename Each>
  void each(const Each& each) const {
    for (const OfBody& of_body : rows_) each(*of_body.writer, of_body.body, of_body.rows);
  }

 private:
  struct OfBody {
    const Writer* writer = nullptr;
    std::int64_t body = 0;
    Rows rows = 0;
  };
  boost::container::small_vector<OfBody, 32> rows_{};
};

/// Rows of one writer, state and TTL in a file, whose values have one size: their bodies differ by how many bytes their
/// dates take, which change at a few times only (storage rule 1.4).
class RowBodies {
 public:
  static constexpr std::size_t most_steps = 10;
  /// Where cohorts are divided by steps: the first members that are not below them, ascending; then the end.
  using StepMembers = std::array<std::int64_t, most_steps + 1>;

  /// No row has dates outside of `dates`; timestamps take so many bytes, the first and after each step.
  void find(const RowFormat& format, const RowShape& shape, std::int32_t ttl_s, std::int64_t value_bytes,
            const CohortDates& dates, std::span<const std::int64_t> timestamp_bytes);
  bool found() const { return !bodies_.empty(); }
  /// Members [from, timestamps.back()), divided by the steps of timestamps; `arrived_before_s(second)` counts those of
  /// the same sub-stream or sub-streams.
  template <typename ArrivedBefore>
  void add(std::int64_t from, std::span<const std::int64_t> timestamps, const ArrivedBefore& arrived_before_s);
  /// All of them, which are this writer's.
  Rows give(const Writer& writer, RowsOfBodies& bodies) const;

 private:
  /// Of local deletion times so long after the write: before which seconds of arrival they take how many bytes.
  struct DeletionSteps {
    boost::container::small_vector<Seconds, 2> arrivals_s{};
    boost::container::small_vector<std::int64_t, 3> bytes{};  // one more
  };
  static void find(const RowFormat& format, const CohortDates& dates, std::int64_t times, Seconds after_write_s,
                   DeletionSteps& steps);

  std::size_t timestamps_ = 0;  // one more than steps
  DeletionSteps expiry_{};
  DeletionSteps death_{};
  // By bytes of the date of death, of expiry, and of the timestamp, the latter next to each other:
  boost::container::small_vector<std::int64_t, most_steps> bodies_{};  // with values
  boost::container::small_vector<Rows, most_steps> members_{};
};

/// The first members of [from, to) that are not below some steps, ascending, from the last on: `below(step)` counts
/// members of the sub-stream. Where a step has none of them before it, no earlier one has.
template <typename Below>
void members_at_steps(std::int64_t from, std::int64_t to, std::size_t steps, const Below& below,
                      RowBodies::StepMembers& members) {
  members[steps] = to;
  while (steps > 0) {
    const std::int64_t before = members[steps--];
    members[steps] = before == from ? before : std::clamp(below(steps), from, before);
  }
}

template <typename ArrivedBefore>
void RowBodies::add(std::int64_t from, std::span<const std::int64_t> timestamps,
                    const ArrivedBefore& arrived_before_s) {
  if (members_.size() == timestamps_) {
    for (std::size_t step = 0; step < timestamps_; ++step) {
      members_[step] += timestamps[step] - from;
      from = timestamps[step];
    }
    return;
  }
  const std::int64_t end = timestamps.back();
  const auto find_members = [&](const DeletionSteps& steps, StepMembers& members) {
    members_at_steps(
        from, end, steps.arrivals_s.size(), [&](std::size_t step) { return arrived_before_s(steps.arrivals_s[step]); },
        members);
  };
  StepMembers expiries;
  StepMembers deaths;
  find_members(expiry_, expiries);
  find_members(death_, deaths);
  std::size_t timestamp = 0;
  std::size_t expiry = 0;
  std::size_t death = 0;
  while (from < end) {
    const std::int64_t to = std::min({timestamps[timestamp], expiries[expiry], deaths[death]});
    members_[(death * expiry_.bytes.size() + expiry) * timestamps_ + timestamp] += to - from;
    from = to;
    timestamp += timestamps[timestamp] == to ? 1 : 0;
    expiry += expiries[expiry] == to ? 1 : 0;
    death += deaths[death] == to ? 1 : 0;
  }
}

}  // namespace windrow
