#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/base/arithmetic.h"

namespace windrow {

/// Which of a writer's partitions one node of several owns. The node's rows are numbered by themselves: those of a
/// bucket go around its `slots` owned partitions, and begin at number `start` of these.
class NodeSlots {
 public:
  struct Bucket {
    std::int64_t first_row = 0;  // of the node's
    std::int64_t slots = 0;
    std::int64_t start = 0;

    std::int64_t slot(std::int64_t row) const { return (start + row - first_row) % slots; }
  };

  /// Buckets from `first_bucket` on; none: all are alike, and the writer's entities and shards are the node's.
  NodeSlots(std::int64_t first_bucket, std::vector<Bucket> buckets)
      : first_bucket_(first_bucket), buckets_(std::move(buckets)) {
    for (const Bucket& bucket : buckets_) sum_ += bucket.slots;
  }
  virtual ~NodeSlots() = default;

  /// True if how many it owns differs from bucket to bucket.
  bool by_bucket() const { return !buckets_.empty(); }
  const Bucket& of(std::int64_t bucket) const {
    static constexpr Bucket none;
    const std::int64_t place = bucket - first_bucket_;
    return place < 0 || place >= std::ssize(buckets_) ? none : buckets_[static_cast<std::size_t>(place)];
  }
  /// Of the mean bucket, rounded up.
  std::int64_t mean() const { return ceil_div(sum_, std::ssize(buckets_)); }

  /// The entity and shard, in the whole cluster's numbers, of an owned partition. Not to be called by two threads at a
  /// time.
  struct Place {
    std::int64_t entity = 0;
    std::int64_t shard = 0;
  };
  virtual Place place(std::int64_t bucket, std::int64_t slot) const = 0;

 private:
  std::int64_t first_bucket_ = 0;
  std::vector<Bucket> buckets_{};
  std::int64_t sum_ = 0;
};

}  // namespace windrow
