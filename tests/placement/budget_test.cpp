#include "sim/placement/budget.h"

#include <doctest/doctest.h>

#include <vector>

namespace windrow {
namespace {

TEST_CASE("the budget goes to named entities first, then to the largest load; the rest borrows or is even") {
  const std::vector<PlacementDemand> demands{
      {.slots = 20'000, .buckets = 26'280, .rows_per_s = 50},   // hours of three years: too many
      {.slots = 4, .buckets = 26'280, .named = true},           // four shards of a named entity
      {.slots = 20'000, .buckets = 1'095, .rows_per_s = 300},   // days of three years
      {.slots = 2'000'000, .buckets = 30, .rows_per_s = 1000},  // more slots than are borrowed
      {.slots = 100, .buckets = 10, .rows_per_s = 9999, .on_lattice = true},
  };
  const std::vector<PlacementPlan> plans = spend_placements(demands, 25'000'000);
  CHECK(plans[1].kind == PlacementKind::hashed);
  CHECK(plans[1].hashed_buckets == 26'280);
  CHECK(plans[2].kind == PlacementKind::hashed);
  CHECK(plans[2].hashed_buckets == 1'095);
  CHECK(plans[0].kind == PlacementKind::borrowed);
  CHECK(plans[0].hashed_buckets == (25'000'000 - 4 * 26'280 - 20'000 * 1'095) / 20'000);
  CHECK(plans[3].kind == PlacementKind::even);
  CHECK(plans[4].kind == PlacementKind::even);
  CHECK(plans[4].hashed_buckets == 0);
}

TEST_CASE("fleets of hours borrow from about 1,250 of three years' buckets; without a budget all is even") {
  const std::vector<PlacementDemand> fleet{{.slots = 20'000, .buckets = 26'280}};
  CHECK(spend_placements(fleet, 25'000'000)[0].hashed_buckets == 1'250);
  CHECK(spend_placements(fleet, 20'000 * 16)[0].hashed_buckets == 16);
  CHECK(spend_placements(fleet, 20'000 * 16 - 1)[0].kind == PlacementKind::even);
  CHECK(spend_placements(fleet, 0)[0].kind == PlacementKind::even);
}

}  // namespace
}  // namespace windrow
