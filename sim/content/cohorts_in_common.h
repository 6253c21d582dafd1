#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/content/cohort.h"

namespace windrow {

/// True if members and tokens of both meet: of which replica sets and slots they are is not asked.
bool may_have_rows_in_common(const Cohort& a, const Cohort& b);

/// Cohorts of one sub-stream, found by others that may have rows in common with them: of many that are cut by tokens,
/// or lie at times of their own, few do.
class CohortsInCommon {
 public:
  /// They outlive it.
  explicit CohortsInCommon(std::vector<const Cohort*> cohorts);

  /// Those that may have rows in common with this one, as they were given. Valid until the next call.
  std::span<const Cohort* const> with(const Cohort& cohort);

 private:
  /// A stretch of members or tokens, both ends inclusive.
  struct Stretch {
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::int64_t last_so_far = 0;  // of it and all before it
    std::uint32_t number = 0;
  };
  static void put_in_order(std::vector<Stretch>& stretches);
  void see(const std::vector<Stretch>& stretches, std::int64_t first, std::int64_t last, const Cohort& cohort);

  std::vector<const Cohort*> cohorts_;
  std::vector<Stretch> by_members_{};  // of those that have all tokens
  std::vector<Stretch> by_tokens_{};
  std::vector<std::uint32_t> numbers_{};
  std::vector<const Cohort*> found_{};
};

}  // namespace windrow
