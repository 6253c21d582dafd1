#include "sim/reads/writer_sources.h"

#include <algorithm>
#include <tuple>

#include "sim/content/partition_deletes.h"

namespace windrow {

WriterSources::WriterSources(const ContentSpace& space, std::span<const ReadSource> sources, const Writer& writer)
    : space_(&space), sources_(sources), writer_(&writer) {
  const auto see = [&](std::int64_t first, std::int64_t last) {
    first_bucket_ = std::min(first_bucket_, first);
    last_bucket_ = std::max(last_bucket_, last);
  };
  for (int s = 0; s < std::ssize(space.workload().sub_streams()); ++s) {
    if (&space.sub_stream(s).writer() == writer_ && space.workload().keyed(s)) keyed_ = true;
  }
  for (int i = 0; i < std::ssize(sources); ++i) {
    const Content& content = *sources[static_cast<std::size_t>(i)].content;
    for (const Cohort& cohort : content.cohorts) {
      if (&space.writer_of(cohort) != writer_) continue;
      const auto [first, last] = space.buckets(cohort);
      held_.push_back({&cohort, i, first, last});
      see(first, last);
    }
    if (!content.keyed) continue;
    if (!keyed_ && writer.drawn_keys == 0 && space.workload().deletes_partitions()) {
      for (const KeyedPartition& partition : *content.keyed) {
        if (!partition.deletion && partition.ranges.empty()) continue;
        std::int64_t bucket = partition.bucket;
        std::optional<std::int64_t> slot = partition.slot;
        if (partition.writer != writer.index) {  // the first writer of its rows, or who deletes what nobody has written
          const BucketRule& rule = space.workload().writers()[static_cast<std::size_t>(partition.writer)].bucket;
          if (rule.single() != writer.bucket.single()) continue;
          if (!rule.single()) bucket = writer.bucket.number(rule.begin(bucket));
          slot = slot_with(space, writer, bucket, partition.token);
        }
        if (!slot) continue;
        if (partition.deletion) deleted_.push_back({bucket, *slot, *partition.deletion, i});
        for (const KeyedRange& range : partition.ranges) deleted_.push_back({bucket, *slot, range.deletion, i, range});
        see(bucket, bucket);
      }
    }
    if (!keyed_) continue;
    for (const KeyedPartition& partition : *content.keyed) {
      const BucketRule& rule = space.workload().writers()[static_cast<std::size_t>(partition.writer)].bucket;
      if (partition.writer == writer.index || rule.single() || writer.bucket.single()) {
        see(partition.bucket, partition.bucket);
      } else {  // a writer of the same keys, whose buckets may be others
        see(writer.bucket.number(rule.begin(partition.bucket)), writer.bucket.number(rule.begin(partition.bucket + 1)));
      }
    }
  }
  std::ranges::sort(deleted_, {}, [](const Deleted& d) { return std::tuple(d.bucket, d.slot, d.source); });
}

std::span<const WriterSources::Deleted> WriterSources::deleted_in(std::int64_t bucket) const {
  return {std::ranges::lower_bound(deleted_, bucket, {}, &Deleted::bucket),
          std::ranges::upper_bound(deleted_, bucket, {}, &Deleted::bucket)};
}

}  // namespace windrow
