#pragma once

#include <cstdint>
#include <optional>

#include "sim/resolve/load_scenario.h"
#include "sim/size/closed_bucket.h"

namespace windrow {

/// How fast each entity of a stream writes, one by one: a run holds them in a few classes of equal rate, whose
/// percentiles would be those of the classes.
struct EntityRates {
  std::int64_t entities = 1;
  Distribution spread{};

  /// Rows per second of the entity at this percentile, by nearest rank.
  double at(double share) const;
};

/// Of the first stream; nothing where all entities write alike. `read`: its fleet or sample again.
std::optional<EntityRates> entity_rates(const LoadedScenario& scenario, const ReadFile& read);

/// Median and p99 of the entities instead of those of their classes; `length_s`: of the bucket.
void refine_percentiles(const EntityRates& rates, std::int64_t shards, ClosedBucket& closed);

}  // namespace windrow
