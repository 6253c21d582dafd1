#include "sim/placement/placement.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

#include "sim/ring/allocation.h"
#include "tests/placement/device_keys.h"
#include "tests/ring/given_rings.h"

namespace windrow {
namespace {

constexpr int nodes = 6;

const ReplicaMap& ring() {
  static const ReplicaMap map(test::six_nodes_16(), test::nodes_in_racks(nodes, 1),
                              {.strategy = Replication::Strategy::network_topology, .factors = {3}});
  return map;
}

std::vector<PlacedBucket> days(std::int64_t count, std::int64_t rows_a_day) {
  std::vector<PlacedBucket> buckets;
  for (std::int64_t day = 0; day < count; ++day) buckets.push_back({.label = day + 1, .first_row = day * rows_a_day});
  return buckets;
}

Placement placed(const SlotKeys& keys, std::vector<PlacedBucket> buckets, PlacementKind kind, std::int64_t hashed = 0) {
  const auto all = static_cast<std::int64_t>(buckets.size());
  const PlacementPlan plan{.kind = kind, .hashed_buckets = kind == PlacementKind::hashed ? all : hashed};
  return {keys, ring(), nodes, std::move(buckets), plan, 1, "devices"};
}

std::vector<std::int64_t> owned(const Placement& placement, std::size_t bucket) {
  std::vector<std::int64_t> all;
  for (int node = 0; node < nodes; ++node) all.push_back(placement.owned(bucket, node));
  return all;
}

/// Mean and standard deviation over buckets of how many slots a node owns.
std::pair<double, double> moments(const Placement& placement, int node) {
  double sum = 0;
  double squares = 0;
  const auto count = static_cast<double>(placement.buckets());
  for (std::size_t bucket = 0; bucket < placement.buckets(); ++bucket) {
    const auto slots = static_cast<double>(placement.owned(bucket, node));
    sum += slots;
    squares += slots * slots;
  }
  const double mean = sum / count;
  return {mean, std::sqrt(squares / count - mean * mean)};
}

using Counts = std::vector<std::int64_t>;

TEST_CASE("a thousand devices by day on the recorded ring: partitions of every node, and how they vary") {
  const test::DeviceKeys keys;
  const Placement placement = placed({.keys = &keys, .entities = 1000}, days(60, 1'440'000), PlacementKind::hashed);
  CHECK(owned(placement, 0) == Counts{491, 487, 512, 477, 505, 528});
  CHECK(owned(placement, 1) == Counts{460, 516, 508, 493, 507, 516});
  CHECK(owned(placement, 2) == Counts{481, 511, 484, 496, 515, 513});
  std::vector<double> deviations;
  for (int node = 0; node < nodes; ++node) deviations.push_back(moments(placement, node).second);
  CHECK(std::ranges::min(deviations) == doctest::Approx(14.4).epsilon(0.01));
  CHECK(std::ranges::max(deviations) == doctest::Approx(16.6).epsilon(0.01));
}

TEST_CASE("one chatty device among a thousand: rows of an hour on each node, to the last row") {
  const test::DeviceKeys keys;
  test::DeviceKeys chatty_key;
  chatty_key.only = "device-chatty";
  const Placement fleet = placed({.keys = &keys, .entities = 1000}, days(3, 1'440'000), PlacementKind::hashed);
  const Placement chatty = placed({.keys = &chatty_key}, days(3, 8'640'000), PlacementKind::hashed);
  const auto rows_of_hour = [&](std::size_t day, std::int64_t hour) {
    Counts rows;
    for (int node = 0; node < nodes; ++node) {
      const auto first = static_cast<std::int64_t>(day);
      const OwnedSlots many = fleet.slots(day, node);
      const OwnedSlots one = chatty.slots(day, node);
      const NodeRows of_fleet(many, first * 1'440'000);
      const NodeRows of_chatty(one, first * 8'640'000);
      const auto in_hour = [&](const NodeRows& node_rows, std::int64_t begin, std::int64_t a_hour) {
        return node_rows.before(begin + (hour + 1) * a_hour) - node_rows.before(begin + hour * a_hour);
      };
      rows.push_back(in_hour(of_fleet, first * 1'440'000, 60'000) + in_hour(of_chatty, first * 8'640'000, 360'000));
    }
    return rows;
  };
  for (const std::int64_t hour : {0, 7, 23})
    CHECK(rows_of_hour(0, hour) == Counts{389'460, 29'220, 390'720, 28'620, 30'300, 391'680});
  const auto above_mean = [&](std::size_t day) {
    const Counts rows = rows_of_hour(day, 0);
    const auto sum = static_cast<double>(std::accumulate(rows.begin(), rows.end(), std::int64_t{0}));
    return static_cast<double>(std::ranges::max(rows)) * nodes / sum;
  };
  CHECK(above_mean(0) == doctest::Approx(1.8651).epsilon(0.00003));
  CHECK(above_mean(1) == doctest::Approx(1.8617).epsilon(0.00003));
  CHECK(above_mean(2) == doctest::Approx(1.8614).epsilon(0.00003));
}

TEST_CASE("rows of all nodes are the replication factor times the writer's, at any row") {
  test::DeviceKeys keys;
  keys.sharded = true;
  const std::int64_t rows = 777;
  const Placement placement =
      placed({.keys = &keys, .entities = 30, .shards = 3}, days(20, rows), PlacementKind::hashed);
  for (std::size_t bucket = 0; bucket < placement.buckets(); ++bucket) {
    const auto first = static_cast<std::int64_t>(bucket) * rows;
    for (const std::int64_t more : {0, 1, 45, 90, 700}) {
      std::int64_t sum = 0;
      for (int node = 0; node < nodes; ++node) {
        const OwnedSlots slots = placement.slots(bucket, node);
        const NodeRows node_rows(slots, first);
        CHECK(slots.owned() == placement.owned(bucket, node));
        CHECK(node_rows.start() == placement.start(bucket, node));
        sum += node_rows.before(first + more);
      }
      CHECK(sum == 3 * more);
    }
  }
}

TEST_CASE("a borrowed bucket has the replica sets of a hashed one, which stand evenly in the run") {
  const test::DeviceKeys keys;
  const SlotKeys fleet{.keys = &keys, .entities = 400};
  const Placement all = placed(fleet, days(80, 577), PlacementKind::hashed);
  const Placement some = placed(fleet, days(80, 577), PlacementKind::borrowed, 16);
  std::set<std::size_t> sources;
  for (std::size_t bucket = 0; bucket < some.buckets(); ++bucket) {
    const std::size_t source = some.source(bucket);
    sources.insert(source);
    CHECK(some.source(source) == source);
    CHECK(owned(some, bucket) == owned(all, source));
    for (int node = 0; node < nodes; ++node) {
      const OwnedSlots slots = some.slots(bucket, node);
      CHECK(NodeRows(slots, static_cast<std::int64_t>(bucket) * 577).start() == some.start(bucket, node));
    }
  }
  CHECK(sources.size() == 16);
  CHECK(*sources.begin() == 2);
  CHECK(*sources.rbegin() == 77);
  CHECK(some.hashed_keys() == 16 * 400);
}

TEST_CASE("even placement gives nodes what they own of the ring, and all partitions their replicas") {
  const test::DeviceKeys keys;
  const Placement even = placed({.keys = &keys, .entities = 1'000'000}, days(2, 7), PlacementKind::even);
  CHECK(owned(even, 0) == owned(even, 1));
  const Counts slots = owned(even, 0);
  CHECK(std::accumulate(slots.begin(), slots.end(), std::int64_t{0}) == 3'000'000);
  const Counts by_ownership{489'700, 488'200, 510'800, 499'000, 507'300, 505'000};  // 48.97 %, …
  for (std::size_t node = 0; node < slots.size(); ++node) CHECK(std::abs(slots[node] - by_ownership[node]) <= 60);
}

}  // namespace
}  // namespace windrow
