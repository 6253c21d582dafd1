#include "sim/placement/owned_slots.h"

#include <doctest/doctest.h>

#include <vector>

#include "sim/stats/random_stream.h"

namespace windrow {
namespace {

/// Walks the writer's rows [from, to): the node's h-th row is what the formulas say.
bool rows_agree(const OwnedSlots& slots, const std::vector<bool>& owns, std::int64_t from, std::int64_t to) {
  const NodeRows rows(slots, from);
  std::int64_t h = 0;
  for (std::int64_t g = from; g < to; ++g) {
    const std::int64_t slot = g % slots.slots();
    if (rows.before(g) != h) return false;
    if (!owns[static_cast<std::size_t>(slot)]) continue;
    if (rows.cluster_row(h) != g || slots.slot((rows.start() + h) % slots.owned()) != slot) return false;
    ++h;
  }
  return rows.before(to) == h;
}

TEST_CASE("a node's rows of 3,000 random buckets are the same partitions in the same order, and convert both ways") {
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    RandomStream stream(seed, "bucket");
    const auto below = [&](std::uint64_t limit) { return static_cast<std::int64_t>(stream.next() % limit); };
    const std::int64_t slots = 1 + below(60);
    const std::int64_t part = below(11);
    std::vector<std::int32_t> owned;
    std::vector<bool> owns(static_cast<std::size_t>(slots), false);
    for (std::int64_t slot = 0; slot < slots; ++slot) {
      if (below(10) >= part) continue;
      owned.push_back(static_cast<std::int32_t>(slot));
      owns[static_cast<std::size_t>(slot)] = true;
    }
    const std::int64_t from = below(1000);
    CHECK_MESSAGE(rows_agree(OwnedSlots::listed(slots, owned), owns, from, from + below(400)), seed);
  }
}

TEST_CASE("slots that are owned evenly convert both ways too") {
  for (const std::int64_t slots : {1, 2, 7, 60, 1000}) {
    for (const std::int64_t owned : {std::int64_t{0}, std::int64_t{1}, slots / 3, slots / 2, slots}) {
      const OwnedSlots even = OwnedSlots::even(slots, owned);
      std::vector<bool> owns(static_cast<std::size_t>(slots), false);
      for (std::int64_t i = 0; i < owned; ++i) {
        CHECK(even.rank(even.slot(i)) == i);
        owns[static_cast<std::size_t>(even.slot(i))] = true;
      }
      CHECK(even.rank(slots) == owned);
      for (const std::int64_t from : {0, 5, 1001}) CHECK(rows_agree(even, owns, from, from + 2 * slots + 3));
    }
  }
}

}  // namespace
}  // namespace windrow
