#include "sim/reads/slot_lane.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace windrow {

std::int64_t number_of_last_wanted(std::span<const LaneRun> runs, std::int64_t wanted) {
  std::vector<std::pair<std::int64_t, std::int64_t>> live;  // until, from
  live.reserve(runs.size());
  for (const LaneRun& run : runs) {
    if (run.live) live.emplace_back(run.to, run.from);
  }
  std::ranges::sort(live, std::greater{});
  for (const auto& [to, from] : live) {
    if (to - from >= wanted) return to - wanted;
    wanted -= to - from;
  }
  return 0;
}

}  // namespace windrow
