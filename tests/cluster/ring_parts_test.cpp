#include "sim/cluster/ring_parts.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/base/arithmetic.h"

namespace windrow {
namespace {

ReplicaMap replica_map(const std::vector<OwnedToken>& tokens, int nodes, int copies) {
  const std::vector<NodePlace> places(static_cast<std::size_t>(nodes));
  return {TokenRing(tokens), places, Replication{.factors = {copies}}};
}

constexpr Token eighth = Token{1} << 61;

// Three nodes, two copies. Ranges: (2e, -2e] of nodes 0 and 1, (-2e, 0] of 1 and 2, (0, 2e] of 2 and 0; e is an eighth
// of the ring, whose end is 4e = -4e.
ReplicaMap three_nodes() { return replica_map({{-2 * eighth, 0}, {0, 1}, {2 * eighth, 2}}, 3, 2); }

TEST_CASE("a ring that no repair cuts has its replica sets as parts") {
  const RingParts parts(three_nodes(), {1}, false);
  CHECK(parts.are_sets());
  CHECK(parts.count() == 3);
  for (const Token token : {-2 * eighth, 0L, 2 * eighth, 2 * eighth + 1, max_token, min_token})
    CHECK(parts.part_of(token) == parts.replicas().set_of(token));
  const auto whole = parts.ranges({});
  CHECK(std::ranges::count(whole, TokenRange{2 * eighth, -2 * eighth}) == 1);
  CHECK(whole.size() == 3);
}

TEST_CASE("halves of each range, by hand") {
  const RingParts parts(three_nodes(), {2}, false);
  CHECK_FALSE(parts.are_sets());
  CHECK(parts.count() == 6);
  // The range round the end of the ring is half of it: its first half ends with the ring.
  CHECK(parts.ranges({.node = 0, .subranges = 2, .subrange = 0}) ==
        std::vector<TokenRange>{{2 * eighth, min_token}, {0, eighth}});
  CHECK(parts.ranges({.node = 0, .subranges = 2, .subrange = 1}) ==
        std::vector<TokenRange>{{min_token, -2 * eighth}, {eighth, 2 * eighth}});
  CHECK(parts.ranges({.node = 0, .primary = true, .subranges = 2, .subrange = 1}) ==
        std::vector<TokenRange>{{min_token, -2 * eighth}});
  CHECK(parts.part_of(2 * eighth + 1) == parts.part_of(max_token));
  CHECK(parts.part_of(max_token) == parts.part_of(min_token));
  CHECK(parts.part_of(min_token) != parts.part_of(min_token + 1));
  CHECK(parts.part_of(min_token + 1) == parts.part_of(-2 * eighth));
  CHECK(parts.part_of(-2 * eighth) != parts.part_of(-2 * eighth + 1));
  CHECK(parts.part_of(-eighth) != parts.part_of(-eighth + 1));
}

TEST_CASE("two repairs that cut into halves and thirds leave four parts of each range") {
  const RingParts parts(replica_map({{0, 0}, {600, 1}}, 2, 2), {2, 3}, false);
  // Both ranges have one replica set: parts are told apart by their places alone.
  CHECK(parts.count() == 4);
  for (const auto& [first, last] : {std::pair(1, 200), std::pair(201, 300), std::pair(301, 400), std::pair(401, 600)})
    CHECK(parts.part_of(first) == parts.part_of(last));
  CHECK(parts.part_of(200) != parts.part_of(201));
  CHECK(parts.part_of(300) != parts.part_of(301));
  CHECK(parts.part_of(400) != parts.part_of(401));
  const auto in = [&](const RangesWanted& wanted, Token left, Token right) {
    return std::ranges::count(parts.ranges(wanted), TokenRange{left, right}) == 1;
  };
  CHECK((in({.subranges = 3, .subrange = 1}, 200, 300) && in({.subranges = 3, .subrange = 1}, 300, 400)));
  CHECK((in({.subranges = 2, .subrange = 1}, 300, 400) && in({.subranges = 2, .subrange = 1}, 400, 600)));
  CHECK_FALSE(in({.subranges = 2, .subrange = 1}, 200, 300));
  // First replicas told apart, each has its own.
  CHECK(RingParts(replica_map({{0, 0}, {600, 1}}, 2, 2), {2, 3}, true).count() == 8);
}

/// What a ring says of one token, found by going round it.
struct Place {
  std::vector<int> holders{};  // the first is the primary replica
  std::uint64_t offset = 0;    // in its range, from 1; 0: the whole ring lies between
  std::uint64_t width = 0;     // of it; 0: the whole ring
};

Place place_of(const std::vector<OwnedToken>& tokens, Token token, int copies) {
  const std::size_t count = tokens.size();
  std::size_t range = 0;
  while (range < count && tokens[range].token < token) ++range;
  range %= count;
  Place place;
  const auto left = static_cast<std::uint64_t>(tokens[(range + count - 1) % count].token);
  place.offset = static_cast<std::uint64_t>(token) - left;
  place.width = static_cast<std::uint64_t>(tokens[range].token) - left;
  for (std::size_t i = range; std::ssize(place.holders) < copies; i = (i + 1) % count) {
    if (std::ranges::find(place.holders, tokens[i].node) == place.holders.end())
      place.holders.push_back(tokens[i].node);
  }
  return place;
}

/// Of so many parts that end at whole tokens: the one after as many ends as lie below the token.
std::int64_t number_in(const Place& place, std::int64_t parts) {
  const auto whole = [](std::uint64_t tokens) { return tokens == 0 ? Int128{1} << 64 : static_cast<Int128>(tokens); };
  std::int64_t number = 0;
  for (std::int64_t k = 1; k < parts; ++k) number += whole(place.width) * k / parts < whole(place.offset) ? 1 : 0;
  return number;
}

bool lies_in(const std::vector<TokenRange>& ranges, Token token) {
  return std::ranges::any_of(ranges, [&](const TokenRange& range) {
    if (range.left == range.right) return true;
    const auto from_left = static_cast<std::uint64_t>(token) - static_cast<std::uint64_t>(range.left);
    const auto width = static_cast<std::uint64_t>(range.right) - static_cast<std::uint64_t>(range.left);
    return from_left != 0 && from_left <= width;
  });
}

TEST_CASE("parts of 300 random rings, also with ranges of fewer tokens than parts, are those that each token says") {
  std::mt19937_64 dice(7);  // NOLINT(cert-msc51-cpp): the same rings each time
  const auto below = [&](std::uint64_t n) { return static_cast<int>(dice() % n); };
  for (int ring = 0; ring < 300; ++ring) {
    CAPTURE(ring);
    const int nodes = 1 + below(5);
    const int copies = 1 + below(static_cast<std::uint64_t>(std::min(nodes, 3)));
    std::vector<OwnedToken> tokens;
    const int each = 1 + below(3);
    for (int i = 0; i < nodes * each; ++i) {
      const Token token = below(2) == 0 ? below(90) - 45 : static_cast<Token>(dice());
      if (std::ranges::find(tokens, token, &OwnedToken::token) == tokens.end()) tokens.push_back({token, i % nodes});
    }
    for (int node = 0; node < nodes; ++node) {
      if (std::ranges::find(tokens, node, &OwnedToken::node) == tokens.end()) tokens.push_back({100 + node, node});
    }
    std::ranges::sort(tokens, {}, &OwnedToken::token);
    std::vector<std::int64_t> subranges;
    for (int i = below(3); i > 0; --i) subranges.push_back(1 + below(7));
    const bool by_primary = below(2) == 0;
    const RingParts parts(replica_map(tokens, nodes, copies), subranges, by_primary);

    std::vector<Token> asked = {min_token, min_token + 1, max_token};
    for (Token token = -50; token < 110; ++token) asked.push_back(token);
    for (const OwnedToken& token : tokens) {
      asked.push_back(token.token);
      asked.push_back(static_cast<Token>(static_cast<std::uint64_t>(token.token) + 1));
    }
    for (int i = 0; i < 40; ++i) asked.push_back(static_cast<Token>(dice()));

    using Kind = std::tuple<std::vector<int>, int, std::vector<std::int64_t>>;
    std::map<int, Kind> kind_of;
    std::map<Kind, int> part_with;
    for (const Token token : asked) {
      const Place place = place_of(tokens, token, copies);
      Kind kind{place.holders, by_primary ? place.holders.front() : -1, {}};
      std::ranges::sort(std::get<0>(kind));
      for (const std::int64_t count : subranges) std::get<2>(kind).push_back(number_in(place, count));
      const int part = parts.part_of(token);
      REQUIRE(part < static_cast<int>(parts.count()));
      REQUIRE(kind_of.try_emplace(part, kind).first->second == kind);
      REQUIRE(part_with.try_emplace(kind, part).first->second == part);
    }
    subranges.push_back(1);
    for (const std::int64_t count : subranges) {
      RangesWanted wanted{.subranges = count, .subrange = below(static_cast<std::uint64_t>(count))};
      if (below(4) > 0) wanted.node = below(static_cast<std::uint64_t>(nodes));
      wanted.primary = by_primary && wanted.node && below(2) == 0;
      const std::vector<TokenRange> ranges = parts.ranges(wanted);
      const SetMask of_parts = parts.parts(wanted);
      for (const Token token : asked) {
        const Place place = place_of(tokens, token, copies);
        const bool its = !wanted.node || (wanted.primary ? place.holders.front() == *wanted.node
                                                         : std::ranges::count(place.holders, *wanted.node) > 0);
        const bool inside = its && number_in(place, count) == wanted.subrange;
        REQUIRE(lies_in(ranges, token) == inside);
        REQUIRE(of_parts.holds(static_cast<std::size_t>(parts.part_of(token))) == inside);
      }
    }
  }
}

}  // namespace
}  // namespace windrow
