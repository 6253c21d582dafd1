#include "sim/strategy/chunked_order.h"

#include <doctest/doctest.h>

#include <functional>
#include <random>
#include <set>
#include <vector>

namespace windrow {
namespace {

using Numbers = ChunkedOrder<int, std::less<>>;

std::vector<int> ascending(const Numbers& numbers) { return {numbers.begin(), numbers.end()}; }

void check_alike(const Numbers& numbers, const std::set<int>& expected) {
  REQUIRE(numbers.size() == expected.size());
  CHECK(ascending(numbers) == std::vector<int>(expected.begin(), expected.end()));
  const auto down = numbers.descending();
  CHECK(std::vector<int>(down.begin(), down.end()) == std::vector<int>(expected.rbegin(), expected.rend()));
  for (int number = 0; number < 3000; number += 37) {
    const auto at = numbers.lower_bound(number);
    const auto wanted = expected.lower_bound(number);
    CHECK((at == numbers.end()) == (wanted == expected.end()));
    if (at != numbers.end() && wanted != expected.end()) CHECK(*at == *wanted);
  }
  if (!expected.empty()) CHECK(numbers.back() == *expected.rbegin());
}

TEST_CASE("a chunked order is a set, whatever comes and goes") {
  for (const unsigned seed : {1U, 2U, 3U}) {
    std::mt19937 random(seed);
    Numbers numbers;
    std::set<int> expected;
    for (int step = 0; step < 5000; ++step) {
      const bool growing = step % 2000 < 1300;
      const int number = static_cast<int>(random() % 3000);
      if (growing && expected.insert(number).second) numbers.insert(number);
      if (!growing) CHECK(numbers.erase_if_there(number) == (expected.erase(number) == 1));
      if (step % 250 == 0) check_alike(numbers, expected);
    }
  }
}

TEST_CASE("a queue of a chunked order: at the back in, at the front out") {
  Numbers numbers;
  int next = 0;
  for (; next < 1000; ++next) numbers.insert(next);
  for (int oldest = 0; oldest < 5000; ++oldest, ++next) {
    REQUIRE(numbers.front() == oldest);
    numbers.erase(oldest);
    numbers.insert(next);
    REQUIRE(numbers.back() == next);
  }
  CHECK(numbers.size() == 1000);
}

}  // namespace
}  // namespace windrow
