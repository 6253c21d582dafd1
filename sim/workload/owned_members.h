#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/workload/node_slots.h"
#include "sim/workload/slot_bits.h"

namespace windrow {

/// Which of a writer's partitions one node of several holds, each under its own name; never changed, shared by threads.
class HeldSlots final : public NodeSlots {
 public:
  /// By bucket, from `first_bucket` on. Slots are shard * entities + entity.
  HeldSlots(std::int64_t first_bucket, std::vector<SlotBits> held, std::int64_t entities);

  std::int64_t first_bucket() const { return first_bucket_; }
  std::int64_t end_bucket() const { return first_bucket_ + std::ssize(held_); }
  const SlotBits& held(std::int64_t bucket) const { return held_[static_cast<std::size_t>(bucket - first_bucket_)]; }
  Place place(std::int64_t bucket, std::int64_t slot) const override;

 private:
  std::int64_t first_bucket_ = 0;
  std::vector<SlotBits> held_{};
  std::int64_t entities_ = 1;
};

/// Of a sub-stream of a whole cluster the members that one node holds, numbered by themselves: the cluster's member J
/// is of slot (first_row + J) mod slots, the node's members are those of its slots, in the same order. Both ways exact.
class OwnedMembers {
 public:
  /// `borders`: the cluster's members before each bucket of `slots`, and at the end all of them.
  OwnedMembers(std::shared_ptr<const HeldSlots> slots, std::int64_t first_row, std::vector<std::int64_t> borders);

  const HeldSlots& slots() const { return *slots_; }
  std::int64_t count() const { return mine_.back(); }
  std::int64_t all() const { return all_.back(); }
  /// The cluster's number of the node's member h; of those after the last: of what comes after all.
  std::int64_t member(std::int64_t h) const;
  /// The node's among the cluster's first J members.
  std::int64_t below(std::int64_t J) const;
  /// Members before a bucket: the cluster's, and the node's.
  std::int64_t all_before(std::int64_t bucket) const { return all_[place(bucket)]; }
  std::int64_t mine_before(std::int64_t bucket) const { return mine_[place(bucket)]; }
  /// The bucket of the node's member h, which is one of its members.
  std::int64_t bucket_of(std::int64_t h) const;
  /// Which of the node's slots in this bucket the first of its members has.
  std::int64_t start(std::int64_t bucket) const;

 private:
  std::size_t place(std::int64_t bucket) const { return static_cast<std::size_t>(bucket - slots_->first_bucket()); }
  /// The node's among rows [0, x) of slots that are held as in a bucket.
  static std::int64_t rows_below(const SlotBits& held, std::int64_t x) {
    return x / held.slots() * held.count() + held.rank(x % held.slots());
  }

  std::shared_ptr<const HeldSlots> slots_;
  std::int64_t first_row_ = 0;
  std::vector<std::int64_t> all_{};   // before each bucket, and at the end
  std::vector<std::int64_t> mine_{};  // the same
  std::vector<std::int64_t> base_{};  // of each bucket: those that come before it, without what rows_below() counts
};

}  // namespace windrow
