#include "sim/strategy/chunked_order.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <climits>
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

/// Bounds of what a chunk holds.
struct Bounds {
  int least = INT_MAX;
  int most = INT_MIN;
  void add(int number) {
    least = std::min(least, number);
    most = std::max(most, number);
  }
};

TEST_CASE("chunks are left out by what is known of all their entries, whatever comes and goes") {
  std::mt19937 random(4);
  ChunkedOrder<int, std::less<>, Bounds> numbers;
  std::set<int> expected;
  std::size_t looked_at = 0;
  std::size_t there = 0;
  for (int step = 0; step < 5000; ++step) {
    const int number = static_cast<int>(random() % 3000);
    if (step % 2000 < 1300) {
      if (expected.insert(number).second) numbers.insert(number);
    } else {
      CHECK(numbers.erase_if_there(number) == (expected.erase(number) == 1));
    }
    if (step % 50 != 0) continue;
    const int first = static_cast<int>(random() % 2900);
    std::set<int> found;
    numbers.each_that_may([&](const Bounds& bounds) { return bounds.least < first + 100 && bounds.most >= first; },
                          [&](int each) {
                            ++looked_at;
                            if (each >= first && each < first + 100) found.insert(each);
                          });
    CHECK(found == std::set<int>(expected.lower_bound(first), expected.lower_bound(first + 100)));
    there += expected.size();
  }
  CHECK(looked_at < there / 3);
}

}  // namespace
}  // namespace windrow
