#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sim/workload/table_workload.h"

namespace windrow {

/// What of a table's workload arrives at one node: all that its streams send, but for what comes while the node is
/// away. Of an interval-held sub-stream that is all members but some intervals. Times in units of the writers.
class Arrivals {
 public:
  using Intervals = std::vector<std::pair<std::int64_t, std::int64_t>>;  // [first, second), ascending, disjoint

  explicit Arrivals(const TableWorkload& workload);

  /// Members of sub-streams that this node, from 0, loses (SubStream::lost_by) never arrive.
  void lose_what_is_lost_by(int node);

  /// Nothing arrives from here on, or again something. In turn, in the order of time.
  void stop(std::int64_t time);
  void resume(std::int64_t time);

  /// How often stop and resume have changed what arrives.
  std::int64_t changes() const { return changes_; }

  /// Times [first, second) in which nothing arrives.
  const Intervals& away() const { return away_; }
  /// True if what comes at this time is missed.
  bool missed(std::int64_t time) const;
  /// True if this node loses the write, of a row that is held one by one, while it is up.
  bool loses(const KeyedArrival& arrival) const;
  bool reaches(const KeyedArrival& arrival) const { return !missed(arrival.place.time) && !loses(arrival); }
  /// Members of a sub-stream that do not arrive.
  const Intervals& lost(int s) const { return lost_[static_cast<std::size_t>(s)]; }
  /// Members that arrive before `time`; and the member of which so many come before.
  std::int64_t count_before(int s, std::int64_t time) const;
  std::int64_t member(int s, std::int64_t count) const {
    for (const auto& [first, last] : lost(s)) {
      if (count < first) break;
      count += last - first;
    }
    return count;
  }

  /// By sub-stream, the members that were sent before `time`, missed ones too. What was counted last is not counted
  /// again. Valid until the next call.
  std::span<const std::int64_t> sent_before(std::int64_t time) const {
    if (sent_[latest_].asked == 0 || sent_[latest_].time != time) latest_ = place_of(time);
    return sent_[latest_].members;
  }
  /// To be told what sent_before would find, by who knows it.
  void know_sent_before(std::int64_t time, std::span<const std::int64_t> members) const;
  /// True if some that were sent, or would be, do not arrive.
  bool loses_some() const { return loses_some_; }
  /// Of the first `sent` members, those that arrive.
  std::int64_t arrived_of(int s, std::int64_t sent) const {
    std::int64_t count = sent;
    for (const auto& [first, last] : lost(s)) count -= std::max<std::int64_t>(0, std::min(last, sent) - first);
    return count;
  }

 private:
  struct Sent {
    std::int64_t time = 0;
    std::int64_t asked = 0;               // when it was asked for last, in questions
    std::vector<std::int64_t> members{};  // by sub-stream
  };
  void find_lost();
  /// Where in sent_ it is, or is put in place of what was asked for longest ago.
  std::size_t place_of(std::int64_t time) const;
  /// Of sent_: that of this time, or else what was asked for longest ago.
  std::size_t latest_or_oldest(std::int64_t time) const;

  const TableWorkload* workload_ = nullptr;
  Intervals away_{};
  int node_ = -1;                  // whose losses are known; -1: nobody's
  std::vector<Intervals> lost_{};  // by sub-stream
  std::int64_t changes_ = 0;
  bool loses_some_ = false;
  mutable std::array<Sent, 4> sent_{};
  mutable std::vector<std::int64_t> ranks_{};  // by place
  mutable std::size_t latest_ = 0;
  mutable std::int64_t questions_ = 0;
};

}  // namespace windrow
