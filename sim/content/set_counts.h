#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/content/set_mask.h"
#include "sim/workload/slot_sets.h"

namespace windrow {

/// How many of a bucket's partitions lie in some replica sets: asked for file after file, of the same buckets and sets.
class SetCounts {
 public:
  /// By slot, and of all of them behind these: how many slots before it are in one of the sets. Valid until the next
  /// question. `worth`: counts what has not been counted; else there may be no answer.
  std::optional<std::span<const std::int32_t>> before(const SlotSets::Bucket& bucket, const SetMask& sets, bool worth);

 private:
  struct Known {
    const SlotSets::Bucket* bucket = nullptr;
    SetMask sets{0};
    std::vector<std::int32_t> before{};
  };
  std::array<Known, 16> known_{};
  std::size_t next_ = 0;  // is forgotten next
};

}  // namespace windrow
