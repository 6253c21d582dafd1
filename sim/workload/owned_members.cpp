#include "sim/workload/owned_members.h"

#include <algorithm>
#include <utility>

#include "sim/base/check.h"

namespace windrow {

namespace {

std::vector<NodeSlots::Bucket> counts_of(const std::vector<SlotBits>& held) {
  std::vector<NodeSlots::Bucket> buckets;
  for (const SlotBits& bucket : held) buckets.push_back({.first_row = 0, .slots = bucket.count(), .start = 0});
  return buckets;
}

}  // namespace

HeldSlots::HeldSlots(std::int64_t first_bucket, std::vector<SlotBits> held, std::int64_t entities)
    : NodeSlots(first_bucket, counts_of(held)),
      first_bucket_(first_bucket),
      held_(std::move(held)),
      entities_(entities) {}

NodeSlots::Place HeldSlots::place(std::int64_t bucket, std::int64_t slot) const {
  const SlotBits& slots = held(bucket);
  if (slots.count() == 0) return {};  // somebody asks how long a key is
  const std::int64_t of_all = slots.slot(slot);
  return {.entity = of_all % entities_, .shard = of_all / entities_};
}

OwnedMembers::OwnedMembers(std::shared_ptr<const HeldSlots> slots, std::int64_t first_row,
                           std::vector<std::int64_t> borders)
    : slots_(std::move(slots)), first_row_(first_row), all_(std::move(borders)) {
  SIM_CHECK(std::ssize(all_) == slots_->end_bucket() - slots_->first_bucket() + 1, "members before each bucket");
  mine_.push_back(0);
  for (std::size_t b = 0; b + 1 < all_.size(); ++b) {
    const SlotBits& held = slots_->held(slots_->first_bucket() + static_cast<std::int64_t>(b));
    base_.push_back(mine_.back() - rows_below(held, first_row_ + all_[b]));
    mine_.push_back(base_.back() + rows_below(held, first_row_ + all_[b + 1]));
  }
}

std::int64_t OwnedMembers::member(std::int64_t h) const {
  if (h >= count()) return all() + h - count();
  const std::int64_t bucket = bucket_of(h);
  const SlotBits& held = slots_->held(bucket);
  const std::int64_t number = h - base_[place(bucket)];
  return number / held.count() * held.slots() + held.slot(number % held.count()) - first_row_;
}

std::int64_t OwnedMembers::below(std::int64_t J) const {
  if (J >= all()) return count();
  if (J <= 0) return 0;
  const auto b = static_cast<std::size_t>(std::ranges::upper_bound(all_, J) - all_.begin()) - 1;
  const SlotBits& held = slots_->held(slots_->first_bucket() + static_cast<std::int64_t>(b));
  return base_[b] + rows_below(held, first_row_ + J);
}

std::int64_t OwnedMembers::bucket_of(std::int64_t h) const {
  return slots_->first_bucket() + (std::ranges::upper_bound(mine_, h) - mine_.begin()) - 1;
}

std::int64_t OwnedMembers::start(std::int64_t bucket) const {
  const std::size_t b = place(bucket);
  return (mine_[b] - base_[b]) % slots_->held(bucket).count();
}

}  // namespace windrow
