#include "sim/content/cohorts_in_common.h"

#include <algorithm>
#include <utility>

namespace windrow {

bool may_have_rows_in_common(const Cohort& a, const Cohort& b) {
  return std::max(a.from, b.from) < std::min(a.to, b.to) &&
         std::max(a.first_token, b.first_token) <= std::min(a.last_token, b.last_token);
}

CohortsInCommon::CohortsInCommon(std::vector<const Cohort*> cohorts) : cohorts_(std::move(cohorts)) {
  for (std::uint32_t i = 0; i < cohorts_.size(); ++i) {
    const Cohort& cohort = *cohorts_[i];
    if (cohort.cut_by_tokens()) {
      by_tokens_.push_back({.first = cohort.first_token, .last = cohort.last_token, .number = i});
    } else {
      by_members_.push_back({.first = cohort.from, .last = cohort.to - 1, .number = i});
    }
  }
  put_in_order(by_members_);
  put_in_order(by_tokens_);
}

void CohortsInCommon::put_in_order(std::vector<Stretch>& stretches) {
  std::ranges::sort(stretches, {}, &Stretch::first);
  std::int64_t last = INT64_MIN;
  for (Stretch& stretch : stretches) stretch.last_so_far = last = std::max(last, stretch.last);
}

void CohortsInCommon::see(const std::vector<Stretch>& stretches, std::int64_t first, std::int64_t last,
                          const Cohort& cohort) {
  auto after = std::ranges::upper_bound(stretches, last, {}, &Stretch::first);
  while (after != stretches.begin()) {
    const Stretch& stretch = *--after;
    if (stretch.last_so_far < first) return;
    if (stretch.last >= first && may_have_rows_in_common(*cohorts_[stretch.number], cohort))
      numbers_.push_back(stretch.number);
  }
}

std::span<const Cohort* const> CohortsInCommon::with(const Cohort& cohort) {
  numbers_.clear();
  see(by_members_, cohort.from, cohort.to - 1, cohort);
  see(by_tokens_, cohort.first_token, cohort.last_token, cohort);
  std::ranges::sort(numbers_);
  found_.clear();
  for (const std::uint32_t number : numbers_) found_.push_back(cohorts_[number]);
  return found_;
}

}  // namespace windrow
