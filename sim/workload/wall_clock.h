#pragma once

#include <vector>

#include "sim/base/units.h"

namespace windrow {

/// What a clock on a wall shows beside UTC.
class WallClock {
 public:
  /// From this second of UTC on the clock is so far ahead of it.
  struct Change {
    Seconds from_s = 0;
    Seconds offset_s = 0;
  };

  /// A clock that nobody changes.
  explicit WallClock(Seconds offset_s = 0) : changes_{{.from_s = 0, .offset_s = offset_s}} {}
  /// At least one change, in ascending order; before the first, its offset holds as well.
  explicit WallClock(std::vector<Change> changes);

  const std::vector<Change>& changes() const { return changes_; }
  bool is_changed() const { return changes_.size() > 1; }
  Seconds local(Seconds utc_s) const;
  /// When it first shows `local_s` or later.
  Seconds first_utc(Seconds local_s) const;

 private:
  std::vector<Change> changes_{};
};

}  // namespace windrow
