#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/reads/bucket_read.h"
#include "sim/reads/partition_query.h"
#include "sim/reads/weighted.h"
#include "sim/workload/table_workload.h"

namespace windrow {

/// What one request asks for, of one entity: its newest rows, or those of a time.
struct ReadRequest {
  Seconds now_s = 0;
  Seconds gc_before_s = 0;
  std::int64_t latest_rows = 0;  // > 0: so many; buckets are read from `newest_us` back until they are found
  Micros newest_us = 0;
  Micros from_us = 0;  // else all rows with event times in [from, to)
  Micros to_us = 0;
  Micros oldest_us = 0;            // `latest`: buckets before this time are not looked for
  bool start_known = true;         // nor those before the entities' first
  std::int64_t shards = 0;         // that are asked in each bucket; 0: those that are written
  bool spares_unrepaired = false;  // PartitionQuery::spares_unrepaired
};

/// One table as reads of a time meet it. What it names outlives it.
struct ReadTable {
  const ContentSpace* space = nullptr;
  std::span<const ReadSource> sources{};
  Seconds gc_before_s = 0;
  bool spares_unrepaired = false;
};

/// A part as all nodes together have it, where the node that is asked holds some of its partitions.
struct WholePart {
  const TableWorkload* workload = nullptr;  // all nodes'
  const Writer* writer = nullptr;
  std::vector<const Writer*> round{};  // as ReadPart::round
  Seconds default_ttl_s = 0;
  /// By entity: whether the node that is asked holds its partition of a bucket's label and a shard.
  std::function<const std::vector<char>&(const Writer& writer, std::int64_t label, std::int64_t shard)> held{};
  double held_share = 0;  // of all keys
};

/// One writer of some entities, and when its events may lie. Several of the same entities follow each other in time.
struct ReadPart {
  const Writer* writer = nullptr;  // of a node of several: null where it is never written a row of it
  Micros from_us = 0;
  Micros until_us = 0;      // exclusive
  std::int64_t shards = 1;  // of an entity and bucket, on all nodes together
  // Buckets that come round again: whose turn a time is follows from this rule, and which writer's from the turn's
  // number; null: nobody has written that one yet. Each turn is a read of its own, of the time of the turn alone.
  std::vector<const Writer*> round{};
  BucketRule turns = BucketRule::none();
  std::optional<WholePart> whole{};  // of a node of several
  const ReadTable* table = nullptr;  // null: the one that is asked
  // Nothing else is asked of this table, whoever knows the start or not: it is one of a month.
  Micros table_from_us = std::numeric_limits<Micros>::min();
  Micros table_until_us = std::numeric_limits<Micros>::max();
};

/// Costs of requests, each entity being asked for as often as any other.
struct ReadCosts {
  WeightedCounts partitions{};  // of a request
  WeightedCounts sstables{};    // of a partition read, as the following
  WeightedCounts rows{};
  WeightedCounts tombstones{};
  WeightedCounts bytes{};
  double false_positives = 0;      // of filters, expected, of all partition reads that are counted
  std::int64_t looked_at = 0;      // partitions, each for all that it stands for
  std::int64_t looked_pieces = 0;  // BucketRead::pieces of each

  void add(const ReadCosts& other);
};

/// Adds what requests for the entities of `parts` (ascending in time) cost on this node. Of more than `most_looked_at`
/// partitions of a bucket that differ from their neighbours, so many, evenly, stand for all.
/// Where nodes hold different partitions (ReadPart::whole), partitions are those of whole requests, the rest is what
/// this node answers of them. How deep a request for an entity goes follows from that entity's rows on all nodes; where
/// they are held one by one, from the mean of the bucket's partitions on this one. Which entities and shards the node's
/// partitions are of is looked up in buckets of at most `most_looked_at` partitions, and else taken to be spread
/// evenly; of partitions that nobody ever wrote so many a request are looked up, of the rest this node holds its share.
/// Parts that name no table of their own are asked of this one, with the request's gc_before_s and spares_unrepaired.
void add_read_costs(const ContentSpace& space, std::span<const ReadSource> sources, std::span<const ReadPart> parts,
                    const ReadRequest& request, ReadCosts& costs);
void add_read_costs(std::span<const ReadPart> parts, const ReadRequest& request, ReadCosts& costs);
inline constexpr std::int64_t most_looked_at = 4096;

}  // namespace windrow
