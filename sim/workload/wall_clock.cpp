#include "sim/workload/wall_clock.h"

#include <algorithm>
#include <utility>

#include "sim/base/check.h"

namespace windrow {

WallClock::WallClock(std::vector<Change> changes) : changes_(std::move(changes)) {
  SIM_CHECK(!changes_.empty() && std::ranges::is_sorted(changes_, {}, &Change::from_s), "a clock's changes ascend");
}

Seconds WallClock::local(Seconds utc_s) const {
  const auto after = std::ranges::upper_bound(changes_, utc_s, {}, &Change::from_s);
  return utc_s + (after == changes_.begin() ? after : after - 1)->offset_s;
}

Seconds WallClock::first_utc(Seconds local_s) const {
  for (std::size_t i = 0; i + 1 < changes_.size(); ++i) {
    // Until it is changed next it shows no later than this.
    if (local_s >= changes_[i + 1].from_s + changes_[i].offset_s) continue;
    const Seconds utc_s = local_s - changes_[i].offset_s;
    return i == 0 ? utc_s : std::max(utc_s, changes_[i].from_s);
  }
  const Seconds utc_s = local_s - changes_.back().offset_s;
  return is_changed() ? std::max(utc_s, changes_.back().from_s) : utc_s;
}

}  // namespace windrow
