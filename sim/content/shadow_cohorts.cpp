#include "sim/content/shadow_cohorts.h"

#include <map>
#include <span>
#include <utility>

#include "sim/content/cohorts_in_common.h"
#include "sim/content/row_sets.h"

namespace windrow {

void shadow_cohorts(const ContentSpace& space, std::vector<Cohort>& cohorts, Rows* shadowed) {
  std::map<int, std::vector<const Cohort*>> of_target;  // row tombstones by the sub-stream whose rows they delete
  for (const Cohort& cohort : cohorts) {
    if (cohort.state != RowState::row_tombstone) continue;
    const int target = space.workload().target_of(cohort.sub_stream);
    if (target >= 0) of_target[target].push_back(&cohort);
  }
  if (of_target.empty()) return;
  std::map<int, CohortsInCommon> tombstones;
  for (auto& [target, all] : of_target) tombstones.emplace(target, std::move(all));
  std::vector<Cohort> kept;
  kept.reserve(cohorts.size());
  for (const Cohort& cohort : cohorts) {
    const auto its = tombstones.find(cohort.sub_stream);
    const auto meeting = its == tombstones.end() ? std::span<const Cohort* const>() : its->second.with(cohort);
    if (meeting.empty()) {
      kept.push_back(cohort);
      continue;
    }
    std::vector<Cohort> parts{cohort};
    for (const Cohort* tombstone : meeting) {
      std::vector<Cohort> left;
      for (const Cohort& part : parts) subtract_rows(space, part, *tombstone, left);
      parts.swap(left);
    }
    *shadowed += space.rows(cohort) - space.rows(parts);
    kept.insert(kept.end(), std::make_move_iterator(parts.begin()), std::make_move_iterator(parts.end()));
  }
  cohorts = std::move(kept);
}

}  // namespace windrow
