#include <doctest/doctest.h>

#include <cmath>

#include "bench/fleet_case.h"

namespace windrow {
namespace {

using windrow_bench::FleetCase;
using windrow_bench::LevelCounts;

LevelCounts counts_of(const FleetCase& fleet, bool smooth) {
  LevelCounts counts;
  run_node(scenario_of(fleet, smooth ? 0 : INT64_MAX), counts, {});
  return counts;
}

// Much smaller than what bench_smooth compares, hence with wider bounds than the stated ones.
TEST_CASE("evenly spread tokens fill the levels as hashed ones do") {
  for (const FleetCase& fleet :
       {FleetCase{.name = "wide", .entities = 100'000, .days = 1}, FleetCase{.name = "long", .entities = 2'000, .days = 50}}) {
    CAPTURE(fleet.name);
    const LevelCounts exact = counts_of(fleet, false);
    const LevelCounts smooth = counts_of(fleet, true);
    CHECK(exact.at_end.at(1) >= 8);
    CHECK(exact.at_end.at(2) >= 8);
    CHECK(std::abs(smooth.write_amplification() / exact.write_amplification() - 1) < 0.02);
    for (const int level : {1, 2}) {
      CAPTURE(level);
      CHECK(std::abs(smooth.mean_sstables(level) - exact.mean_sstables(level)) < 1 + 0.05 * exact.mean_sstables(level));
    }
  }
}

}  // namespace
}  // namespace windrow
