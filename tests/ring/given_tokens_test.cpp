#include "sim/ring/given_tokens.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/ring/ring_error.h"

namespace windrow {
namespace {

GivenToken row(const std::string& dc, const std::string& node, const std::string& rack, Token token) {
  return {.node = {.datacenter = dc, .name = node, .rack = rack}, .token = token};
}

std::string refusal(const std::vector<GivenToken>& rows, const std::vector<NamedNode>& nodes) {
  try {
    given_ring(rows, nodes);
  } catch (const RingError& error) {
    return error.what();
  }
  return {};
}

TEST_CASE("given tokens make a ring; nodes, data centres and racks are numbered as they come") {
  const std::vector<GivenToken> rows{row("east", "a", "r2", 5), row("west", "a", "r2", -5), row("east", "b", "r1", 0),
                                     row("east", "a", "r2", 9)};
  const std::vector<NamedNode> nodes = nodes_of(rows);
  CHECK(nodes == std::vector<NamedNode>{{"east", "a", "r2"}, {"west", "a", "r2"}, {"east", "b", "r1"}});
  const std::vector<NodePlace> places = places_of(nodes);
  CHECK(places[1].datacenter == 1);
  CHECK(places[1].rack == 0);
  CHECK(places[2].datacenter == 0);
  CHECK(places[2].rack == 1);
  const TokenRing ring = given_ring(rows, nodes);
  CHECK(ring.size() == 4);
  CHECK(ring.tokens_of(0) == std::vector<Token>{5, 9});
  CHECK(ring.find(-5)->node == 1);
}

TEST_CASE("what cannot be given is told") {
  const std::vector<NamedNode> nodes{{"", "a", "r1"}, {"", "b", "r1"}};
  CHECK(refusal({row("", "a", "r1", 1), row("", "c", "r1", 2)}, nodes) == "there is no node c");
  CHECK(refusal({row("east", "a", "r1", 1)}, nodes) == "there is no node a of east");
  CHECK(refusal({row("", "a", "r2", 1)}, nodes) == "node a is in rack r1, not in r2");
  CHECK(refusal({row("", "a", "r1", 1), row("", "b", "r1", 1)}, nodes) == "token 1 is there twice, of a and of b");
  CHECK(refusal({row("", "a", "r1", 1)}, nodes) == "node b has no token");
  CHECK(refusal({row("", "a", "r1", min_token)}, nodes) == "token -9223372036854775808: accepts tokens above it");
  const std::vector<GivenToken> two_racks{row("", "a", "r1", 1), row("", "a", "r2", 2)};
  CHECK_THROWS_WITH_AS(nodes_of(two_racks), "node a is in rack r1 and in rack r2", RingError);
}

}  // namespace
}  // namespace windrow
