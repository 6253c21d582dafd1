#pragma once

#include <vector>

#include "sim/scenario/scenario.h"
#include "sim/workload/bucket_rule.h"

namespace windrow {

/// From a time on, which bucket of adaptive(a, b above r) is written: the finer one, or the coarser.
struct AdaptiveChoice {
  Micros from_us = 0;
  bool fine = false;
  friend bool operator==(const AdaptiveChoice&, const AdaptiveChoice&) = default;
};

/// Choices of `entities` entities that write `stretches` together from `from_us` to `until_us`. Each coarse bucket is
/// written as a whole in one way: finely where the mean rate of an entity within it (within the part of it that lies in
/// the span) is above `above_per_s`. Ascending, the first at from_us; neighbours differ, and change where a coarse
/// bucket begins.
std::vector<AdaptiveChoice> adaptive_choices(const std::vector<RateStretch>& stretches, std::int64_t entities,
                                             const BucketRule& coarse, double above_per_s, Micros from_us,
                                             Micros until_us);

}  // namespace windrow
