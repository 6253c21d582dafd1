#include "sim/ring/local_ranges.h"

#include <doctest/doctest.h>

#include <vector>

namespace windrow {
namespace {

constexpr Token eighth = Token{1} << 61;  // of the ring, which goes from -4 eighths to 4

ReplicaMap three_nodes(int copies) {
  const std::vector<NodePlace> places(3);
  return {TokenRing({{-2 * eighth, 0}, {0, 1}, {2 * eighth, 2}}), places, Replication{.factors = {copies}}};
}

TEST_CASE("what a node holds of a ring of three, two copies of each row, by hand") {
  // Of (2, -2] round the end, (-2, 0] and (0, 2] node 0 has the first and the last: from -4 to -2, 0 to 2, and 2 to 4.
  const LocalRanges of_first(three_nodes(2), 0);
  CHECK(of_first.coverage() == 0.75);
  CHECK(of_first.shard_ends(1).empty());
  CHECK(of_first.shard_ends(2) == std::vector<Token>{eighth});
  CHECK(of_first.shard_ends(3) == std::vector<Token>{-2 * eighth, 2 * eighth});
  // What ends with the ring is to the engine a token shorter.
  CHECK(of_first.shard_ends(4) == std::vector<Token>{-5 * (eighth / 2), eighth, 5 * (eighth / 2) - 1});
  // Node 2 has (-2, 0] and (0, 2].
  const LocalRanges of_last(three_nodes(2), 2);
  CHECK(of_last.coverage() == 0.5);
  CHECK(of_last.shard_ends(2) == std::vector<Token>{0});
}

TEST_CASE("what a file covers ends at the token after its last one, and is none where the node holds nothing") {
  const LocalRanges held(three_nodes(2), 0);
  CHECK(held.spanned(min_token, max_token) == 0.75);
  CHECK(held.spanned(-eighth, eighth - 1) == 0.125);
  CHECK(held.spanned(eighth, 3 * eighth - 1) == 0.25);
  CHECK(held.spanned(-2 * eighth, -1) == 0);
  CHECK(held.spanned(-2 * eighth, 0) == 0x1p-64);
  CHECK(held.spanned(-3 * eighth, -eighth) == 0.125);
}

TEST_CASE("a node that is a replica of every range has no ranges of its own") {
  for (int node = 0; node < 3; ++node) {
    CHECK(local_ranges_of(three_nodes(3), node) == nullptr);
    CHECK(local_ranges_of(three_nodes(1), node) != nullptr);
  }
  CHECK(*local_ranges_of(three_nodes(2), 1) == LocalRanges(three_nodes(2), 1));
  CHECK(*local_ranges_of(three_nodes(2), 1) != *local_ranges_of(three_nodes(2), 2));
}

}  // namespace
}  // namespace windrow
