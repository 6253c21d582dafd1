#include "sim/placement/owned_slots.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "sim/base/arithmetic.h"
#include "sim/base/check.h"

namespace windrow {

OwnedSlots::OwnedSlots(std::int64_t slots, std::int64_t owned, std::vector<std::int32_t> list)
    : slots_(slots), owned_(owned), list_(std::move(list)) {
  SIM_CHECK(slots > 0 && owned >= 0 && owned <= slots, "a node owns some of a bucket's slots");
}

OwnedSlots OwnedSlots::listed(std::int64_t slots, std::vector<std::int32_t> owned) {
  SIM_CHECK(slots <= std::numeric_limits<std::int32_t>::max(), "slots that are listed are few");
  const auto count = static_cast<std::int64_t>(owned.size());
  return {slots, count, std::move(owned)};
}

OwnedSlots OwnedSlots::even(std::int64_t slots, std::int64_t owned) { return {slots, owned, {}}; }

std::int64_t OwnedSlots::rank(std::int64_t x) const {
  if (list_.empty()) return mul_div_floor(x, owned_, slots_);
  return std::ranges::lower_bound(list_, x) - list_.begin();
}

std::int64_t OwnedSlots::slot(std::int64_t i) const {
  SIM_CHECK(i >= 0 && i < owned_, "the node owns the slot");
  if (list_.empty()) return mul_div_ceil(i + 1, slots_, owned_) - 1;
  return list_[static_cast<std::size_t>(i)];
}

std::int64_t NodeRows::cluster_row(std::int64_t h) const {
  const std::int64_t owned = slots_->owned();
  const std::int64_t round = first_row_ / slots_->slots() + (start_ + h) / owned;
  return round * slots_->slots() + slots_->slot((start_ + h) % owned);
}

}  // namespace windrow
