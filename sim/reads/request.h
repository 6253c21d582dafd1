#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/reads/bucket_read.h"
#include "sim/reads/partition_query.h"
#include "sim/reads/weighted.h"

namespace windrow {

/// What one request asks for, of one entity: its newest rows, or those of a time.
struct ReadRequest {
  Seconds now_s = 0;
  Seconds gc_before_s = 0;
  std::int64_t latest_rows = 0;  // > 0: so many; buckets are read from `newest_us` back until they are found
  Micros newest_us = 0;
  Micros from_us = 0;  // else all rows with event times in [from, to)
  Micros to_us = 0;
  Micros oldest_us = 0;     // `latest`: buckets before this time are not looked for
  bool start_known = true;  // nor those before the entities' first
  std::int64_t shards = 0;  // that are asked in each bucket; 0: those that are written
};

/// One writer of some entities, and when its events may lie. Several of the same entities follow each other in time.
struct ReadPart {
  const Writer* writer = nullptr;
  Micros from_us = 0;
  Micros until_us = 0;      // exclusive
  std::int64_t shards = 1;  // of an entity and bucket, on all nodes together
};

/// Costs of requests, each entity being asked for as often as any other.
struct ReadCosts {
  WeightedCounts partitions{};  // of a request
  WeightedCounts sstables{};    // of a partition read, as the following
  WeightedCounts rows{};
  WeightedCounts tombstones{};
  WeightedCounts bytes{};
  double false_positives = 0;  // of filters, expected, of all partition reads that are counted

  void add(const ReadCosts& other);
};

/// Adds what requests for the entities of `parts` (ascending in time) cost on this node. Of more than `most_looked_at`
/// partitions of a bucket that differ from their neighbours, so many, evenly, stand for all.
/// Where nodes own different partitions, each bucket is read as deep as the mean entity needs.
void add_read_costs(const ContentSpace& space, std::span<const ReadSource> sources, std::span<const ReadPart> parts,
                    const ReadRequest& request, ReadCosts& costs);
inline constexpr std::int64_t most_looked_at = 4096;

}  // namespace windrow
