#include "sim/resolve/adaptive_choice.h"

#include <algorithm>

#include "sim/base/arithmetic.h"

namespace windrow {

namespace {

double rows_per_s(const RateStretch& stretch) {
  return static_cast<double>(stretch.rows) * 1e6 / static_cast<double>(stretch.period_us);
}

/// Mean rates over spans that ascend.
class Rates {
 public:
  explicit Rates(const std::vector<RateStretch>& stretches) : stretches_(stretches) {}

  double mean(Micros from_us, Micros until_us) {
    while (at_ + 1 < stretches_.size() && stretches_[at_ + 1].from_us <= from_us) ++at_;
    double rows = 0;
    for (std::size_t i = at_; i < stretches_.size() && stretches_[i].from_us < until_us; ++i) {
      const Micros end = i + 1 < stretches_.size() ? std::min(until_us, stretches_[i + 1].from_us) : until_us;
      const Micros begin = std::max(from_us, stretches_[i].from_us);
      if (begin == from_us && end == until_us) return rows_per_s(stretches_[i]);
      if (end > begin) rows += rows_per_s(stretches_[i]) * static_cast<double>(end - begin);
    }
    return rows / static_cast<double>(until_us - from_us);
  }

  /// Where the stretch of the latest span ends.
  Micros next_change(Micros until_us) const {
    return at_ + 1 < stretches_.size() ? std::min(until_us, stretches_[at_ + 1].from_us) : until_us;
  }

 private:
  const std::vector<RateStretch>& stretches_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<AdaptiveChoice> adaptive_choices(const std::vector<RateStretch>& stretches, std::int64_t entities,
                                             const BucketRule& coarse, double above_per_s, Micros from_us,
                                             Micros until_us) {
  std::vector<AdaptiveChoice> choices;
  Rates rates(stretches);
  const auto bucket_of = [&](Micros at_us) { return coarse.number(floor_div(at_us, us_per_s)); };
  const auto begin_of = [&](std::int64_t bucket) { return coarse.begin(bucket) * us_per_s; };
  Micros at_us = from_us;
  while (at_us < until_us) {
    const std::int64_t bucket = bucket_of(at_us);
    Micros end_us = std::min(until_us, begin_of(bucket + 1));
    const bool fine = rates.mean(at_us, end_us) > above_per_s * static_cast<double>(entities) * (1 + 1e-12);
    if (choices.empty() || choices.back().fine != fine) choices.push_back({.from_us = at_us, .fine = fine});
    // Whole buckets of the same stretch are written alike.
    if (const Micros change_us = rates.next_change(until_us); change_us > end_us)
      end_us = change_us == until_us ? until_us : std::max(end_us, begin_of(bucket_of(change_us)));
    at_us = end_us;
  }
  return choices;
}

}  // namespace windrow
