#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

#include "sim/ring/allocation.h"
#include "sim/ring/ownership.h"
#include "sim/ring/replica_map.h"
#include "sim/ring/ring_error.h"
#include "sim/stats/random_stream.h"
#include "sim/stats/ring_share.h"

namespace windrow {
namespace {

/// A ring of one to three data centres, each with racks and a replication of its own.
struct RandomRing {
  std::uint64_t seed = 0;
  std::vector<NodePlace> places{};
  std::vector<int> racks{};
  std::vector<int> nodes{};
  Replication replication{};
  TokenRing ring{};
};

RandomRing random_case(std::uint64_t seed, bool allocated) {
  RandomStream stream(seed, "case");
  const auto below = [&](std::uint64_t limit) { return static_cast<int>(stream.next() % limit); };
  RandomRing made{.seed = seed};
  const int datacenters = 1 + below(3);
  // Most rings are small, some have a thousand nodes.
  const int most = allocated ? 40 : (below(10) == 0 ? 1000 : 60);
  std::vector<int> num_tokens;
  std::vector<DatacenterTokens> rules;
  for (int dc = 0; dc < datacenters; ++dc) {
    int factor = 1 + below(5);
    int racks = 1 + below(5);
    const int nodes = std::max({factor, racks, 1 + below(static_cast<std::uint64_t>(most / datacenters))});
    if (allocated && racks > 1 && racks < factor) racks = factor;
    for (int node = 0; node < nodes; ++node) {
      // The first of each rack one after another, then anywhere.
      made.places.push_back({.datacenter = dc, .rack = node < racks ? node : below(static_cast<std::uint64_t>(racks))});
    }
    made.racks.push_back(racks);
    made.nodes.push_back(nodes);
    made.replication.factors.push_back(factor);
    num_tokens.push_back(1 + below(allocated ? 16 : 8));
    rules.push_back(
        {.rule = {.num_tokens = num_tokens.back(), .replicas = factor}, .first_token = first_token_of(seed, dc)});
  }
  made.ring = allocated ? allocate_ring(made.places, rules) : random_ring(made.places, num_tokens, seed);
  return made;
}

/// As CHECK, without a line for each of millions.
void holds(const RandomRing& made, bool what) {
  if (!what) FAIL("of the case with seed " << made.seed);
}

const NodePlace& place(const RandomRing& made, int node) { return made.places[static_cast<std::size_t>(node)]; }

/// RF different nodes of each data centre; of different racks, as far as there are racks.
void check_replicas(const RandomRing& made, std::span<const int> replicas) {
  for (std::size_t dc = 0; dc < made.nodes.size(); ++dc) {
    std::set<int> nodes;
    std::set<int> racks;
    for (const int node : replicas) {
      if (place(made, node).datacenter != static_cast<int>(dc)) continue;
      holds(made, nodes.insert(node).second);
      racks.insert(place(made, node).rack);
    }
    const int factor = made.replication.factors[dc];
    holds(made, static_cast<int>(nodes.size()) == factor);
    holds(made, static_cast<int>(racks.size()) == std::min(factor, made.racks[dc]));
  }
}

/// The first node at or behind a token is its first replica, found without any table.
void check_lookup(const RandomRing& made, const ReplicaMap& map, Token token) {
  const auto tokens = made.ring.tokens();
  const auto end = std::ranges::lower_bound(tokens, token, {}, &OwnedToken::token);
  const OwnedToken& owner = end == tokens.end() ? tokens.front() : *end;
  const std::size_t range = map.range_of(token);
  holds(made, map.end_of(range) == owner.token);
  holds(made, map.replicas(range).front() == owner.node);
  std::vector<int> sorted(map.replicas(range).begin(), map.replicas(range).end());
  std::ranges::sort(sorted);
  holds(made, std::ranges::equal(sorted, map.set(map.set_of(token))));
}

void check_ring(std::uint64_t seed, bool allocated) {
  const RandomRing made = random_case(seed, allocated);
  const ReplicaMap map(made.ring, made.places, made.replication);
  holds(made, map.ranges() == made.ring.size());
  for (std::size_t range = 0; range < map.ranges(); ++range) check_replicas(made, map.replicas(range));
  RandomStream keys(seed, "keys");
  for (int key = 0; key < 200; ++key) check_lookup(made, map, static_cast<Token>(keys.next()));
  for (const Token token : {min_token, max_token, Token{0}}) check_lookup(made, map, token);
  for (const OwnedToken& owned : made.ring.tokens()) check_lookup(made, map, owned.token);

  std::vector<double> owned(made.nodes.size(), 0);
  const std::vector<float> shares = effective_ownership(map, made.places.size());
  for (std::size_t node = 0; node < made.places.size(); ++node) {
    owned[static_cast<std::size_t>(made.places[node].datacenter)] += static_cast<double>(shares[node]);
  }
  // Each range is printed to six decimals.
  const double rounding = 6e-7 * static_cast<double>(made.ring.size());
  for (std::size_t dc = 0; dc < owned.size(); ++dc) {
    holds(made, std::abs(owned[dc] - made.replication.factors[dc]) <= made.replication.factors[dc] * (rounding + 1e-5));
  }
}

}  // namespace

TEST_CASE("on rings of random tokens every token has its replicas, in racks as NetworkTopologyStrategy puts them") {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) check_ring(seed, false);
}

TEST_CASE("and on allocated rings of several data centres with racks of their own") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) check_ring(seed, true);
}

}  // namespace windrow
