#pragma once

#include <vector>

#include "sim/scenario/scenario.h"

namespace windrow {

// A stream whose sizes, TTL or shards change in time is a writer before the change and one after it. Where the change
// falls into a bucket, both write into its partitions.

/// First and last instant (exclusive) of the bucket that is open at `at_us`; without buckets, of all time.
struct OpenBucket {
  Micros begin_us = 0;
  Micros end_us = 0;
};
OpenBucket bucket_open_at(const BucketRule& rule, Micros at_us);

/// For each writer of one table a number that it has in common with those whose partitions it goes on to write, by
/// their keys; -1: none.
std::vector<int> writers_of_open_partitions(const std::vector<WriterSpec>& specs);

}  // namespace windrow
