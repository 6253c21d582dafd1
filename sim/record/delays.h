#pragma once

#include <span>
#include <utility>
#include <vector>

#include "sim/base/units.h"
#include "sim/content/census_spread.h"
#include "sim/content/shadows.h"
#include "sim/engine/node.h"
#include "sim/record/run_record.h"

namespace windrow {

/// Many spans of time, kept with a precision of half a percent; the longest exactly.
class DelaySpread {
 public:
  enum class Ended { yes, not_yet };
  /// `rows` spans, evenly spread from one to the other.
  void add(Seconds first_s, Seconds last_s, Rows rows, Ended ended = Ended::yes);
  DelaySummary summary();

 private:
  WeightedValues ended_{};
  WeightedValues lasting_{};
  Seconds max_s_ = 0;
};

/// How long values stay on disk after their row's expiry, and after their row's delete.
class RemovalDelays {
 public:
  explicit RemovalDelays(const ContentSpace& space);

  /// The files a compaction removes: values of rows that had expired when it started go, and those that its tombstones
  /// shadow.
  void removed(const CommitEvent& event);
  /// What is still there at the end: not gone yet. Returns deleted rows whose data is still there; of those that are
  /// held one by one, the ones under `shadows`.
  Rows still_there(const Content& content, const Shadows& shadows, Seconds end_s);

  DelaySummary retention_overshoot() { return retention_.summary(); }
  DelaySummary erasure_delay() { return erasure_.summary(); }
  /// The longest of the delays after a delete that have been counted since the last call.
  Seconds take_longest_erasure() { return std::exchange(longest_erasure_s_, 0); }

 private:
  using Ended = DelaySpread::Ended;
  void see_values(const Content& content, Seconds expired_by_s, Seconds now_s, Ended ended);
  void shadowed_rows_go(std::span<const Content* const> sources, Seconds started_s, Seconds now_s);
  void see_deleted(Seconds first_s, Seconds last_s, Rows rows, Ended ended);
  /// Members of a sub-stream whose data goes now, or is still there: those with a delete before. Returns how many.
  Rows see_deleted_members(int sub_stream, std::int64_t from, std::int64_t to, Seconds now_s, Ended ended);

  const ContentSpace& space_;
  std::vector<int> deleted_by_{};  // per sub-stream: the one of its row tombstones, or -1
  bool any_deletes_ = false;
  bool any_covering_ = false;  // deletes of partitions, and of rows that are held one by one
  FirstRanges first_ranges_{};
  DelaySpread retention_{};
  DelaySpread erasure_{};
  Seconds longest_erasure_s_ = 0;
};

}  // namespace windrow
