#include "sim/workload/token_lattice.h"

#include <doctest/doctest.h>

#include <set>
#include <vector>

namespace windrow {
namespace {

TEST_CASE("every slot of a lattice has a place of its own") {
  for (const std::int64_t slots : {1, 2, 3, 7, 16, 20, 97, 1000}) {
    const TokenLattice lattice(slots);
    std::set<std::int64_t> places;
    for (std::int64_t slot = 0; slot < slots; ++slot) places.insert(lattice.place(slot));
    CHECK(static_cast<std::int64_t>(places.size()) == slots);
    CHECK(lattice.places_up_to(min_token) == 0);
    CHECK(lattice.places_up_to(max_token) > *places.rbegin());
  }
}

TEST_CASE("what a lattice counts is what is there") {
  for (const std::int64_t slots : {1, 5, 12, 97}) {
    const TokenLattice lattice(slots);
    const std::int64_t places = lattice.places_up_to(max_token);
    for (std::int64_t from = 0; from < 2 * slots; from += 3) {
      for (std::int64_t to = from; to < 3 * slots; to += 4) {
        for (std::int64_t first = 0; first <= places; first += 2) {
          for (std::int64_t last = first; last <= places; last += 3) {
            std::int64_t there = 0;
            for (std::int64_t turn = from; turn < to; ++turn) {
              const std::int64_t place = lattice.place(turn % slots);
              there += first <= place && place < last ? 1 : 0;
            }
            REQUIRE(lattice.count(from, to, first, last) == there);
          }
        }
      }
    }
  }
}

TEST_CASE("places are evenly spaced over the ring") {
  const TokenLattice lattice(1'000'000);
  CHECK(lattice.places_up_to(-1) == doctest::Approx(500'000).epsilon(1e-5));
  CHECK(lattice.places_up_to(min_token + (max_token / 2)) == doctest::Approx(250'000).epsilon(1e-5));
}

}  // namespace
}  // namespace windrow
