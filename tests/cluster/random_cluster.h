#pragma once

#include <cstdint>

#include "sim/scenario/scenario.h"

namespace windrow_test {

inline constexpr windrow::Micros hour_us = 3'600 * windrow::us_per_s;

/// Two to four small replicas of one table of any strategy: rows that are deleted one by one, all or some of them, TTLs
/// or none, outages that may overlap or lie in repairs, hints or none, repairs of any cadence, some skipped, gc_grace
/// from hours to days. Compactions take time, and hints are sent at once. The same seed gives the same cluster.
windrow::Scenario random_cluster(std::uint64_t seed);

/// The same of four to six nodes with two or three copies of every row, one to four tokens a node, several shards or
/// one, and writers that write all at once or evenly.
windrow::Scenario random_ring(std::uint64_t seed);

/// The same two with repairs that are full or incremental, all nodes together or one after the other, of primary or all
/// ranges, whole or in parts, that may overlap; without hints.
windrow::Scenario random_sessions(std::uint64_t seed);
windrow::Scenario random_ring_sessions(std::uint64_t seed);

/// One of either kind with one or two kinds of reads, of the newest rows or of a time, at any consistency level.
windrow::Scenario random_reads(std::uint64_t seed);

/// One of either kind: some outages end with another machine, some writes and deletes do not arrive where they should.
windrow::Scenario random_losses(std::uint64_t seed);

/// The same cluster with repairs that stream hours after they hashed, one after the other: deletes are forgotten in
/// between.
windrow::Scenario slowly_repaired(windrow::Scenario scenario);

/// The same cluster with small partitions, in which a leaf has few rows beside one that differs, and whose nodes forget
/// deletes early: then nobody that has the delete is left to send it along.
windrow::Scenario forgetting(windrow::Scenario scenario);

/// As random_cluster, of rows that meet one by one: deletes of partitions or of ranges, or keys that are written again
/// in turn, half of the writes with a TTL that is shorter than the time until the next one.
windrow::Scenario random_keyed(std::uint64_t seed);

/// The same with writes and deletes that get lost; with deletes of partitions or ranges and reads at any consistency
/// level, and now and then losses.
windrow::Scenario random_keyed_losses(std::uint64_t seed);
windrow::Scenario random_keyed_reads(std::uint64_t seed);

/// Two data centres of one to three nodes each, of which each row has one to three copies in each: faults as in
/// random_ring, and now and then all nodes of one data centre are away at once.
windrow::Scenario random_centers(std::uint64_t seed);

/// The same with reads at any consistency level; with replacements and losses; with repairs as in random_ring_sessions.
windrow::Scenario random_centers_reads(std::uint64_t seed);
windrow::Scenario random_centers_losses(std::uint64_t seed);
windrow::Scenario random_centers_sessions(std::uint64_t seed);

}  // namespace windrow_test
