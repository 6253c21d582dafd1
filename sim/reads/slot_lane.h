#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/arithmetic.h"
#include "sim/content/content.h"

namespace windrow {

/// The members that one partition has of a sub-stream, in order: numbers k = 0, 1, ….
class SlotLane {
 public:
  /// They go around the slots; none lies before `first`.
  SlotLane(const SubStream::Turn& turn, std::int64_t first, std::int64_t slot) : step_(turn.slots()) {
    const std::int64_t behind = slot - turn.slot(first);
    first_ = first + (behind >= 0 ? behind : behind + step_);
  }
  /// They are these.
  explicit SlotLane(const std::vector<std::int64_t>& members) : members_(&members) {}

  /// How many lie before member j.
  std::int64_t before(std::int64_t j) const {
    if (members_ != nullptr) return std::ranges::lower_bound(*members_, j) - members_->begin();
    return j <= first_ ? 0 : ceil_div(j - first_, step_);
  }
  std::int64_t member(std::int64_t k) const {
    return members_ != nullptr ? (*members_)[static_cast<std::size_t>(k)] : first_ + k * step_;
  }

 private:
  std::int64_t first_ = 0;
  std::int64_t step_ = 1;
  const std::vector<std::int64_t>* members_ = nullptr;
};

/// Numbers [from, to) of a lane that count alike when they are read.
struct LaneRun {
  std::size_t lane = 0;
  std::int64_t from = 0;
  std::int64_t to = 0;
  bool live = false;
  std::int64_t tombstones = 0;  // of each row
  double row_bytes = 0;
  bool again = false;  // second copies of rows of another file: read, and merged into the first
};

/// The number of the row of one lane from which on so many live ones come; there are that many.
std::int64_t number_of_last_wanted(std::span<const LaneRun> runs, std::int64_t wanted);

}  // namespace windrow
