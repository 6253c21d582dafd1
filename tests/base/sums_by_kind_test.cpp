#include "sim/base/sums_by_kind.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <vector>

using namespace windrow;

TEST_CASE("sums by kind are those of adding number by number") {
  std::mt19937_64 random(7);
  for (int round = 0; round < 500; ++round) {
    const std::uint64_t kinds = 1 + random() % 6;
    const std::uint64_t often = random() % kinds;
    std::vector<std::uint32_t> kind_of(random() % 60);
    for (std::size_t place = 0; place < kind_of.size(); ++place) {
      const bool counts_up = round % 3 == 0;
      const bool one = round % 3 == 1 && random() % 4 > 0;
      kind_of[place] = static_cast<std::uint32_t>(counts_up ? place % kinds : one ? often : random() % kinds);
    }
    const SumsByKind sums(kind_of);
    std::vector<std::int64_t> numbers;
    std::vector<std::int64_t> added(kinds, 11);  // to what is there
    std::vector<std::int64_t> wanted = added;
    for (const std::uint32_t kind : kind_of) {
      numbers.push_back(static_cast<std::int64_t>(random() % 1'000'000) - 1'000);
      wanted[kind] += numbers.back();
    }
    sums.add(numbers.data(), added.data());
    CHECK(added == wanted);
  }
}
