#include "sim/workload/token_lattice.h"

#include <doctest/doctest.h>

#include <set>

namespace windrow {
namespace {

constexpr std::int64_t positions_in_place = std::int64_t{1} << TokenLattice::fraction_bits;

TEST_CASE("every slot of a lattice has a place of its own") {
  for (const std::int64_t slots : {1, 2, 3, 7, 16, 20, 97, 1000}) {
    const TokenLattice lattice(slots);
    std::set<std::int64_t> places;
    for (std::int64_t slot = 0; slot < slots; ++slot) places.insert(lattice.place(slot));
    CHECK(static_cast<std::int64_t>(places.size()) == slots);
    CHECK(lattice.positions_up_to(min_token) == 0);
    CHECK(lattice.positions_up_to(max_token) > *places.rbegin() * positions_in_place);
  }
}

TEST_CASE("what a lattice counts is what is there") {
  const Rounds all_rounds[] = {{}, {1, 0}, {2, 1}, {3, 0}, {4, 7}};
  for (const std::int64_t slots : {1, 5, 12, 97}) {
    const TokenLattice lattice(slots);
    const std::int64_t end = lattice.positions_up_to(max_token);
    const std::int64_t step = end / 23 + 1;
    for (const Rounds& rounds : all_rounds) {
      for (std::int64_t from = 0; from < 2 * slots; from += slots / 3 + 1) {
        for (std::int64_t to = from; to < 9 * slots; to += slots / 2 + 3) {
          for (std::int64_t first = 0; first <= end; first += step) {
            for (std::int64_t last = first; last <= end; last += 2 * step) {
              std::int64_t there = 0;
              for (std::int64_t j = from; j < to; ++j) {
                const std::int64_t position = lattice.position(j % slots, rounds.round_of(j / slots));
                there += first <= position && position < last ? 1 : 0;
              }
              REQUIRE(lattice.count(from, to, first, last, rounds) == there);
            }
          }
        }
      }
    }
  }
}

TEST_CASE("partitions are counted round by round") {
  for (const std::int64_t slots : {1, 5, 12, 97}) {
    const TokenLattice lattice(slots);
    const std::int64_t end = lattice.positions_up_to(max_token);
    for (std::int64_t first = 0; first <= end; first += end / 31 + 1) {
      for (std::int64_t last = first; last <= end; last += end / 17 + 1) {
        std::int64_t in_rounds = 0;
        for (std::int64_t round = 3; round < 11; ++round) {
          std::int64_t there = 0;
          for (std::int64_t slot = 0; slot < slots; ++slot) {
            const std::int64_t position = lattice.position(slot, round);
            there += first <= position && position < last ? 1 : 0;
          }
          REQUIRE(lattice.count_partitions(round, round + 1, lattice.border(first), lattice.border(last)) == there);
          in_rounds += there;
        }
        REQUIRE(lattice.count_partitions(3, 11, lattice.border(first), lattice.border(last)) == in_rounds);
      }
    }
  }
}

TEST_CASE("positions are evenly spaced over the ring") {
  const TokenLattice lattice(1'000'000);
  const auto places = [&](Token token) {
    return static_cast<double>(lattice.positions_up_to(token)) / static_cast<double>(positions_in_place);
  };
  CHECK(places(-1) == doctest::Approx(500'000).epsilon(1e-5));
  CHECK(places(min_token + (max_token / 2)) == doctest::Approx(250'000).epsilon(1e-5));
}

}  // namespace
}  // namespace windrow
