#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace windrow {

/// The replica set that holds each partition of a writer: by bucket and slot.
class SlotSets {
 public:
  using Bucket = std::vector<std::uint16_t>;

  /// Buckets from `first_bucket` on.
  SlotSets(std::int64_t first_bucket, std::vector<Bucket> buckets)
      : first_bucket_(first_bucket), buckets_(std::move(buckets)) {}

  std::int64_t first_bucket() const { return first_bucket_; }
  std::int64_t end_bucket() const { return first_bucket_ + std::ssize(buckets_); }
  const Bucket& of(std::int64_t bucket) const { return buckets_[static_cast<std::size_t>(bucket - first_bucket_)]; }

 private:
  std::int64_t first_bucket_ = 0;
  std::vector<Bucket> buckets_{};
};

}  // namespace windrow
