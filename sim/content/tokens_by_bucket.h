#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sim/content/content.h"

namespace windrow {

/// Between which tokens a content holds rows of a bucket, by sub-stream: what lies between two tokens of a cohort
/// counts as held. Intervals ascend and do not touch.
class TokensByBucket {
 public:
  using Interval = std::pair<Token, Token>;
  TokensByBucket(const ContentSpace& space, std::span<const Cohort> cohorts);

  /// Calls `use(sub_stream, intervals)` for each that has cohorts reaching over the bucket. Within such a cohort a
  /// bucket has no rows only if the sub-stream has none of it at all.
  template <typename Use>
  void each_of(std::int64_t bucket, const Use& use) const {
    for (const Group& group : groups_) {
      const std::span<const Run> runs = std::span(runs_).subspan(group.first_run, group.runs);
      const auto run = std::ranges::lower_bound(runs, bucket, {}, &Run::last_bucket);
      if (run == runs.end() || run->first_bucket > bucket) continue;
      use(group.sub_stream, std::span(intervals_).subspan(run->first_interval, run->intervals));
    }
  }

 private:
  struct Group {
    int sub_stream = 0;
    std::size_t first_run = 0;
    std::size_t runs = 0;
  };
  /// Consecutive buckets that are held between the same tokens; ascending by bucket.
  struct Run {
    std::int64_t first_bucket = 0;
    std::int64_t last_bucket = 0;
    std::size_t first_interval = 0;
    std::size_t intervals = 0;
  };
  std::vector<Group> groups_{};
  std::vector<Run> runs_{};
  std::vector<Interval> intervals_{};
};

}  // namespace windrow
