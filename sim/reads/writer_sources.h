#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/reads/partition_query.h"

namespace windrow {

/// What all files and the memtable have of one writer, as reads ask for it: bucket by bucket.
class WriterSources {
 public:
  /// What it is given outlives it.
  WriterSources(const ContentSpace& space, std::span<const ReadSource> sources, const Writer& writer);

  struct Held {
    const Cohort* cohort = nullptr;
    int source = 0;
    std::int64_t first_bucket = 0;
    std::int64_t last_bucket = 0;
  };
  const ContentSpace& space() const { return *space_; }
  std::span<const ReadSource> sources() const { return sources_; }
  const Writer& writer() const { return *writer_; }
  const std::vector<Held>& held() const { return held_; }
  /// Rows are held one by one.
  bool keyed() const { return keyed_; }
  /// How many live rows a partition has is told by reading it: they may lie under deletions.
  bool found_by_reading() const { return keyed_ || space_->workload().deletes_partitions(); }
  /// A deletion of a partition, or of what comes first in it, in a source.
  struct Deleted {
    std::int64_t bucket = 0;
    std::int64_t slot = 0;
    Deletion deletion{};
    int source = 0;
    std::optional<KeyedRange> range{};  // nothing: all of it
  };
  /// Of a bucket, by slot.
  std::span<const Deleted> deleted_in(std::int64_t bucket) const;
  /// No row lies in buckets after `second` or before `first`; nothing: first above second.
  std::pair<std::int64_t, std::int64_t> buckets() const { return {first_bucket_, last_bucket_}; }

 private:
  const ContentSpace* space_;
  std::span<const ReadSource> sources_;
  const Writer* writer_;
  std::vector<Held> held_{};
  std::vector<Deleted> deleted_{};  // where rows are not held one by one; by bucket and slot
  bool keyed_ = false;
  std::int64_t first_bucket_ = INT64_MAX;
  std::int64_t last_bucket_ = INT64_MIN;
};

}  // namespace windrow
