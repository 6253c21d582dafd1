#include "sim/strategy/turning_blocks.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace windrow {
namespace {

TEST_CASE("blocks that turn hold what a vector holds, whatever comes and goes where") {
  std::mt19937 dice(52);
  const auto below = [&dice](std::size_t end) { return std::uniform_int_distribution<std::size_t>(0, end - 1)(dice); };
  for (int round = 0; round < 40; ++round) {
    CAPTURE(round);
    TurningBlocks<int, 2> blocks;
    std::vector<int> expected;
    const std::size_t most_growing = 1 + below(10);
    for (int step = 0; step < 1'500; ++step) {
      CAPTURE(step);
      const bool grows = step % 700 < 450;
      if (expected.empty() || (below(12) < most_growing) == grows) {
        const std::size_t at = below(expected.size() + 1);
        blocks.insert(at, step);
        expected.insert(expected.begin() + static_cast<std::ptrdiff_t>(at), step);
      } else {
        const std::size_t at = below(expected.size());
        blocks.erase(at);
        expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(at));
      }
      REQUIRE(std::ranges::equal(blocks.view(), expected));
      if (below(200) == 0) REQUIRE(std::ranges::equal(blocks.flat(), expected));
      if (expected.empty()) continue;
      const std::size_t any = below(expected.size());
      REQUIRE(blocks.view()[any] == expected[any]);
    }
  }
}

TEST_CASE("the place behind those for which something holds is found from any place on") {
  const std::vector<int> ascending{1, 3, 3, 5, 9};
  for (std::size_t begin = 0; begin <= ascending.size(); ++begin) {
    CHECK(place_behind(InOrder<int>(ascending), begin, [](int each) { return each < 4; }) ==
          std::max<std::size_t>(begin, 3));
    CHECK(place_behind(ascending, begin, [](int) { return true; }) == ascending.size());
    CHECK(place_behind(ascending, begin, [](int) { return false; }) == begin);
  }
}

}  // namespace
}  // namespace windrow
