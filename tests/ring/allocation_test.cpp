#include "sim/ring/allocation.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/ring/ownership.h"
#include "sim/ring/replica_map.h"
#include "sim/ring/ring_error.h"
#include "sim/ring/split_largest.h"
#include "sim/ring/token_arithmetic.h"
#include "sim/ring/unreplicated_allocation.h"
#include "sim/stats/java_random.h"
#include "tests/ring/given_rings.h"

namespace windrow {
namespace {

using test::nodes_in_racks;

constexpr Token first_token = 2654222623318173220;

DatacenterTokens rule(int num_tokens, int replicas) {
  return {.rule = {.num_tokens = num_tokens, .replicas = replicas}, .first_token = first_token};
}

TokenRing allocated(const std::vector<NodePlace>& places, int num_tokens, int replicas) {
  return allocate_ring(places, std::vector{rule(num_tokens, replicas)});
}

template <typename Work>
std::string refusal(const Work& work) {
  try {
    work();
  } catch (const RingError& error) {
    return error.what();
  }
  return {};
}

/// Largest ownership over the mean.
double imbalance(const TokenRing& ring, const std::vector<NodePlace>& places, int factor) {
  const ReplicaMap map(ring, places, {.strategy = Replication::Strategy::network_topology, .factors = {factor}});
  const std::vector<float> owned = effective_ownership(map, places.size());
  return static_cast<double>(std::ranges::max(owned)) * static_cast<double>(places.size()) / factor;
}

TEST_CASE("java.util.Random draws as its documentation says") {
  JavaRandom random(42);  // new java.util.Random(42).nextDouble(), twice
  CHECK(random.next_double() == 0.7275636800328681);
  CHECK(random.next_double() == 0.6832234717598454);
}

TEST_CASE("a range is halved and split as Murmur3Partitioner does, round the ring too") {
  CHECK(token_midpoint(0, 10) == 5);
  CHECK(token_midpoint(-3, 0) == -2);  // shifted, not truncated
  CHECK(token_midpoint(max_token - 1, min_token + 3) == min_token + 1);
  CHECK(token_split(0, 1000, 0.1) == 100);
  CHECK(token_split(-1000, 0, 0.55) == -450);
  CHECK(token_split(-10, 0, 0.55) == -4);                                // -4.5, truncated
  CHECK(token_split(max_token - 10, min_token + 10, 0.5) == max_token);  // 20 tokens: as if the ring had 2^64 - 1
}

TEST_CASE("a range of all the ring is split at ratios that follow from the number of tokens alone") {
  const std::vector<Token> tokens = split_largest({}, 4, first_token);
  CHECK(tokens == std::vector<Token>{first_token, -4584113941663295479, 9052280172804356702, -236821758065901617});
}

TEST_CASE("with as many racks as replicas each rack is a ring of its own, and holds everything once") {
  const std::vector<NodePlace> places = nodes_in_racks(12, 3);
  const TokenRing ring = allocated(places, 16, 3);
  // What the other racks have does not matter once a rack has begun.
  const std::vector<Token> fourth = ring.tokens_of(3);
  TokenRing rack;
  rack.join(0, ring.tokens_of(0));
  std::vector<Token> alone = allocate_unreplicated(rack, 3, 16);
  std::ranges::sort(alone);
  CHECK(alone == fourth);
  // The engine makes nodes differ, so that those it takes from next stand out: by 2 / (2 tokens + 1) at most.
  CHECK(imbalance(ring, places, 3) < 1 + 1.0 / 33 + 1e-4);
  CHECK(imbalance(allocated(places, 4, 3), places, 3) < 1 + 1.0 / 9 + 1e-4);
}

TEST_CASE("with more racks than replicas the rack is what replicas differ in") {
  const std::vector<NodePlace> places = nodes_in_racks(20, 5);
  CHECK(imbalance(allocated(places, 16, 3), places, 3) < 1.12);
}

TEST_CASE("nodes of one rack own about the same: at most 3 % more than the mean with 16 tokens, 13 % with 4") {
  for (const int nodes : {6, 12, 24}) {
    const std::vector<NodePlace> places = nodes_in_racks(nodes, 1);
    CHECK(imbalance(allocated(places, 16, 3), places, 3) < 1.03);
    CHECK(imbalance(allocated(places, 4, 3), places, 3) < 1.13);
  }
}

TEST_CASE("between one rack and as many as replicas the engine refuses, once the rack is known") {
  const std::string reason =
      "token allocation failed: 2 racks in a data centre are less than its replication factor 3; accepts one rack, or "
      "3 "
      "and more";
  CHECK(refusal([] { allocated(nodes_in_racks(6, 2), 4, 3); }) == reason);
  CHECK(refusal([] { allocated({{0, 0}, {0, 0}, {0, 0}, {0, 1}}, 4, 3); }).empty());
  CHECK(refusal([] { allocated({{0, 0}, {0, 0}, {0, 0}, {0, 1}, {0, 1}}, 4, 3); }) == reason);
}

TEST_CASE("data centres are rings of their own; a token that another one has is passed by") {
  const std::vector<NodePlace> one = nodes_in_racks(4, 1);
  std::vector<NodePlace> two = one;
  for (int node = 0; node < 4; ++node) two.push_back({.datacenter = 1, .rack = 0});
  const TokenRing alone = allocated(one, 4, 3);
  const TokenRing both = allocate_ring(two, std::vector{rule(4, 3), rule(4, 3)});
  CHECK(both.size() == 2 * alone.size());
  for (int node = 0; node < 4; ++node) {
    CHECK(both.tokens_of(node) == alone.tokens_of(node));
    std::vector<Token> beside = alone.tokens_of(node);
    for (Token& token : beside) ++token;
    if (node == 0) CHECK(both.tokens_of(node + 4) == beside);
  }
}

TEST_CASE("numbers that cannot be, or take too long, are refused with what is accepted") {
  CHECK(refusal([] { refuse_num_tokens(0); }) == "num_tokens = 0: accepts 1 to 1536");
  CHECK(refusal([] { refuse_num_tokens(1537); }) == "num_tokens = 1537: accepts 1 to 1536");
  CHECK(refusal([] {
          allocated(nodes_in_racks(1000, 1), 1024, 3);
        }).starts_with("1000 nodes with 1024 tokens each: allocating them takes too long; "));
  CHECK(random_ring(nodes_in_racks(1000, 1), std::vector{1024}, 1).size() == 1'024'000);
  const std::vector<NodePlace> places = nodes_in_racks(2, 1);
  const Replication three{.strategy = Replication::Strategy::network_topology, .factors = {3}};
  CHECK(refusal([&] { refuse_more_replicas_than_nodes(places, three); }) ==
        "replication factor 3 for 2 nodes of data centre 0: accepts at most as many replicas as nodes");
  CHECK(refusal([&] {
          refuse_more_replicas_than_nodes(places, {.factors = {2, 1}});
        }) == "replication factor 1 for 0 nodes of data centre 1: accepts at most as many replicas as nodes");
}

TEST_CASE("SimpleStrategy takes the next different nodes, whatever their racks and data centres") {
  const TokenRing ring(
      {{.token = 0, .node = 0}, {.token = 10, .node = 1}, {.token = 20, .node = 0}, {.token = 30, .node = 2}});
  const std::vector<NodePlace> places{{0, 0}, {0, 0}, {1, 0}};
  const ReplicaMap map(ring, places, {.strategy = Replication::Strategy::simple, .factors = {2}});
  const auto nodes = [&](Token token) {
    const auto found = map.replicas(map.range_of(token));
    return std::vector<int>(found.begin(), found.end());
  };
  CHECK(nodes(0) == std::vector{0, 1});
  CHECK(nodes(1) == std::vector{1, 0});
  CHECK(nodes(20) == std::vector{0, 2});
  CHECK(nodes(31) == std::vector{0, 1});
  CHECK(map.sets() == 2);
}

}  // namespace
}  // namespace windrow
