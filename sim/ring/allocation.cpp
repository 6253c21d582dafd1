#include "sim/ring/allocation.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "sim/base/check.h"
#include "sim/ring/replicated_allocation.h"
#include "sim/ring/ring_error.h"
#include "sim/ring/split_largest.h"
#include "sim/ring/unreplicated_allocation.h"
#include "sim/stats/random_stream.h"

namespace windrow {
namespace {

constexpr int most_tokens_of_a_node = 1'536;          // DatabaseDescriptor.MAX_NUM_TOKENS
constexpr std::int64_t most_candidates = 10'000'000;  // middles of ranges that all joins together look at: two seconds

const NodePlace& place_of(std::span<const NodePlace> places, int node) {
  return places[static_cast<std::size_t>(node)];
}

/// Which tokens a joining node looks at, and what may not hold two replicas of a row.
struct View {
  TokenRing ring{};
  int replicas = 1;
  bool by_rack = false;
};

std::vector<bool> joined_nodes(const TokenRing& joined, std::size_t nodes) {
  std::vector<bool> known(nodes, false);
  for (const OwnedToken& owned : joined.tokens()) known[static_cast<std::size_t>(owned.node)] = true;
  return known;
}

/// TokenAllocation.createStrategy: a rack that nobody has joined yet counts as the only one.
View view_of(const TokenRing& joined, std::span<const NodePlace> places, int node, int replicas) {
  const NodePlace& own = place_of(places, node);
  std::set<int> racks;
  const std::vector<bool> known = joined_nodes(joined, places.size());
  for (std::size_t other = 0; other < places.size(); ++other) {
    if (known[other] && places[other].datacenter == own.datacenter) racks.insert(places[other].rack);
  }
  const int rack_count = racks.contains(own.rack) ? static_cast<int>(racks.size()) : 1;
  View view;
  bool own_rack_only = false;
  if (replicas > 1 && rack_count == replicas) {
    own_rack_only = true;
  } else if (replicas > 1) {
    view.replicas = replicas;
    view.by_rack = rack_count > replicas;
    if (rack_count > 1 && !view.by_rack) {
      throw RingError(
          fmt::format("token allocation failed: {} racks in a data centre are less than its replication "
                      "factor {}; accepts one rack, or {} and more",
                      rack_count, replicas, replicas));
    }
  }
  std::vector<OwnedToken> seen;
  for (const OwnedToken& owned : joined.tokens()) {
    const NodePlace& other = place_of(places, owned.node);
    if (other.datacenter == own.datacenter && (!own_rack_only || other.rack == own.rack)) seen.push_back(owned);
  }
  view.ring = TokenRing(std::move(seen));
  return view;
}

std::vector<int> groups_of(const View& view, std::span<const NodePlace> places) {
  std::vector<int> groups(places.size());
  std::iota(groups.begin(), groups.end(), 0);
  if (view.by_rack) std::ranges::transform(places, groups.begin(), &NodePlace::rack);
  return groups;
}

std::size_t different(const TokenRing& ring, std::span<const int> group_of_node) {
  std::set<int> groups;
  for (const OwnedToken& owned : ring.tokens()) groups.insert(group_of_node[static_cast<std::size_t>(owned.node)]);
  return groups.size();
}

std::vector<Token> choose(const View& view, std::span<const NodePlace> places, int node, int num_tokens,
                          Token first_token) {
  const bool small = view.ring.size() < static_cast<std::size_t>(num_tokens);
  if (view.ring.empty() || small) return split_largest(view.ring, num_tokens, first_token);
  if (view.replicas == 1) return allocate_unreplicated(view.ring, node, num_tokens);
  const std::vector<int> groups = groups_of(view, places);
  // Fewer nodes than replicas have fewer groups too.
  if (different(view.ring, groups) < static_cast<std::size_t>(view.replicas)) {
    return split_largest(view.ring, num_tokens, first_token);
  }
  return allocate_replicated(view.ring, groups, node, num_tokens, view.replicas);
}

/// Another data centre's token is passed by, the same ring's is an error:
/// TokenAllocation.adjustForCrossDatacenterClashes.
Token without_clash(Token token, const TokenRing& joined, const TokenRing& same_ring) {
  while (joined.find(token) != nullptr) {
    if (same_ring.find(token) != nullptr) {
      throw RingError(fmt::format("allocated token {} is node {}'s already", token, joined.find(token)->node));
    }
    token = static_cast<Token>(static_cast<std::uint64_t>(token) + 1);
  }
  return token;
}

}  // namespace

std::vector<Token> allocate_tokens(const TokenRing& joined, std::span<const NodePlace> places, int node,
                                   const AllocationRule& rule, Token first_token) {
  SIM_CHECK(rule.num_tokens > 0, "a node has tokens");
  const View view = view_of(joined, places, node, rule.replicas);
  std::vector<Token> tokens = choose(view, places, node, rule.num_tokens, first_token);
  for (Token& token : tokens) token = without_clash(token, joined, view.ring);
  std::ranges::sort(tokens);
  const auto twice = std::ranges::adjacent_find(tokens);
  if (twice != tokens.end()) throw RingError(fmt::format("token {} is allocated twice", *twice));
  return tokens;
}

void refuse_num_tokens(int num_tokens) {
  if (num_tokens >= 1 && num_tokens <= most_tokens_of_a_node) return;
  throw RingError(fmt::format("num_tokens = {}: accepts 1 to {}", num_tokens, most_tokens_of_a_node));
}

void refuse_long_allocation(std::int64_t nodes, int num_tokens) {
  if (nodes * (nodes - 1) / 2 * num_tokens <= most_candidates) return;
  throw RingError(
      fmt::format("{} nodes with {} tokens each: allocating them takes too long; accepts fewer of either, "
                  "random tokens, or a list of tokens",
                  nodes, num_tokens));
}

TokenRing allocate_ring(std::span<const NodePlace> places, std::span<const DatacenterTokens> datacenters) {
  for (std::size_t dc = 0; dc < datacenters.size(); ++dc) {
    const int num_tokens = datacenters[dc].rule.num_tokens;
    refuse_num_tokens(num_tokens);
    refuse_long_allocation(std::ranges::count(places, static_cast<int>(dc), &NodePlace::datacenter), num_tokens);
  }
  TokenRing ring;
  for (int node = 0; node < static_cast<int>(places.size()); ++node) {
    const DatacenterTokens& own = datacenters[static_cast<std::size_t>(place_of(places, node).datacenter)];
    ring.join(node, allocate_tokens(ring, places, node, own.rule, own.first_token));
  }
  return ring;
}

TokenRing random_ring(std::span<const NodePlace> places, std::span<const int> num_tokens, std::uint64_t seed) {
  for (const int tokens : num_tokens) refuse_num_tokens(tokens);
  std::vector<RandomStream> streams;
  for (std::size_t dc = 0; dc < num_tokens.size(); ++dc) streams.emplace_back(seed, fmt::format("tokens {}", dc));
  std::set<Token> taken;
  std::vector<OwnedToken> tokens;
  for (int node = 0; node < static_cast<int>(places.size()); ++node) {
    const auto dc = static_cast<std::size_t>(place_of(places, node).datacenter);
    for (int made = 0; made < num_tokens[dc];) {
      const auto drawn = static_cast<Token>(streams[dc].next());
      const Token token = drawn == min_token ? max_token : drawn;
      if (!taken.insert(token).second) continue;
      tokens.push_back({.token = token, .node = node});
      ++made;
    }
  }
  return TokenRing(std::move(tokens));
}

Token first_token_of(std::uint64_t seed, int datacenter) {
  const auto drawn = static_cast<Token>(RandomStream(seed, fmt::format("first token {}", datacenter)).next());
  return drawn == min_token ? max_token : drawn;
}

}  // namespace windrow
