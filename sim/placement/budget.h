#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace windrow {

/// How exactly it is known who holds a writer's partitions.
enum class PlacementKind {
  hashed,    // every key of every bucket
  borrowed,  // some buckets evenly through the run; every other one has the replica sets of one of these
  even,      // by what nodes own of the ring, alike in all buckets
};

/// What the budget is spent by.
struct PlacementDemand {
  std::int64_t slots = 1;
  std::int64_t buckets = 1;
  bool named = false;       // one of the largest entities, or of a list: before all others
  double rows_per_s = 0;    // of all its entities: then the larger load first, then the order given
  bool on_lattice = false;  // its tokens are spread evenly: run.exact_partitions
};

struct PlacementPlan {
  PlacementKind kind = PlacementKind::even;
  std::int64_t hashed_buckets = 0;
};

/// What each writer gets of `keys` hashed keys (run.exact_placements). Borrowing takes at least 16 buckets of at most a
/// million slots.
std::vector<PlacementPlan> spend_placements(std::span<const PlacementDemand> demands, std::int64_t keys);

}  // namespace windrow
