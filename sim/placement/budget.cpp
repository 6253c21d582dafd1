#include "sim/placement/budget.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace windrow {
namespace {

constexpr std::int64_t least_borrowed_buckets = 16;
constexpr std::int64_t most_borrowed_slots = 1'000'000;

PlacementPlan plan_of(const PlacementDemand& demand, std::int64_t keys) {
  if (demand.on_lattice) return {};
  if (demand.slots <= keys / demand.buckets) return {PlacementKind::hashed, demand.buckets};
  const bool may_borrow = demand.slots <= most_borrowed_slots && demand.slots <= keys / least_borrowed_buckets;
  if (!may_borrow) return {};
  return {PlacementKind::borrowed, keys / demand.slots};
}

}  // namespace

std::vector<PlacementPlan> spend_placements(std::span<const PlacementDemand> demands, std::int64_t keys) {
  std::vector<std::size_t> order(demands.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {},
                           [&](std::size_t i) { return std::tuple(!demands[i].named, -demands[i].rows_per_s); });
  std::vector<PlacementPlan> plans(demands.size());
  for (const std::size_t i : order) {
    plans[i] = plan_of(demands[i], keys);
    keys -= plans[i].hashed_buckets * demands[i].slots;
  }
  return plans;
}

}  // namespace windrow
