#include "sim/placement/placement.h"

#include <numeric>
#include <string>
#include <utility>

#include "sim/base/check.h"
#include "sim/stats/random_stream.h"

namespace windrow {

std::vector<std::size_t> placement_sources(std::size_t buckets, const PlacementPlan& plan, std::uint64_t seed,
                                           std::string_view name) {
  std::vector<std::size_t> sources(buckets);
  std::iota(sources.begin(), sources.end(), std::size_t{0});
  if (plan.kind != PlacementKind::borrowed) return sources;
  const auto hashed = static_cast<std::size_t>(plan.hashed_buckets);
  SIM_CHECK(hashed > 0 && hashed <= buckets, "some buckets are hashed");
  // Hashed bucket i stands in the middle of its part of the run.
  const auto middle = [&](std::size_t i) { return (2 * i + 1) * buckets / (2 * hashed); };
  RandomStream stream(seed, "placement " + std::string(name));
  for (std::size_t bucket = 0, next = 0; bucket < buckets; ++bucket) {
    const std::size_t drawn = middle(stream.next() % hashed);  // also where unused: no bucket's draw hangs on others
    if (next < hashed && bucket == middle(next)) {
      ++next;
    } else {
      sources[bucket] = drawn;
    }
  }
  return sources;
}

Placement::Placement(const SlotKeys& keys, const ReplicaMap& replicas, std::size_t nodes,
                     std::vector<PlacedBucket> buckets, const PlacementPlan& plan, std::uint64_t seed,
                     std::string_view name)
    : keys_(keys), replicas_(&replicas), nodes_(nodes), buckets_(std::move(buckets)), plan_(plan) {
  SIM_CHECK(!buckets_.empty() && keys_.slots() > 0, "a writer has partitions");
  shares_.resize(buckets_.size() * nodes_);
  sources_ = placement_sources(buckets_.size(), plan_, seed, name);
  plan_.kind == PlacementKind::even ? share_evenly() : share_hashed();
}

/// Buckets with one source one after the other: each is hashed once.
void Placement::share_hashed() {
  std::vector<std::vector<std::size_t>> borrowers(buckets_.size());
  for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket) borrowers[sources_[bucket]].push_back(bucket);
  for (std::size_t source = 0; source < buckets_.size(); ++source) {
    if (borrowers[source].empty()) continue;
    const std::vector<int> set_of_slot = hashed_sets(keys_, buckets_[source].label, *replicas_);
    std::vector<std::int64_t> by_set(replicas_->sets(), 0);
    for (const int set : set_of_slot) ++by_set[static_cast<std::size_t>(set)];
    const std::vector<std::int64_t> owned = owned_by_node(by_set, *replicas_, nodes_);
    for (const std::size_t bucket : borrowers[source]) {
      for (std::size_t node = 0; node < nodes_; ++node) shares_[bucket * nodes_ + node].owned = owned[node];
      add_starts(bucket, set_of_slot);
    }
  }
}

void Placement::add_starts(std::size_t bucket, const std::vector<int>& set_of_slot) {
  const std::int64_t first_slot = buckets_[bucket].first_row % keys_.slots();
  std::vector<std::int64_t> by_set(replicas_->sets(), 0);
  for (std::int64_t slot = 0; slot < first_slot; ++slot) {
    ++by_set[static_cast<std::size_t>(set_of_slot[static_cast<std::size_t>(slot)])];
  }
  const std::vector<std::int64_t> before = owned_by_node(by_set, *replicas_, nodes_);
  for (std::size_t node = 0; node < nodes_; ++node) shares_[bucket * nodes_ + node].start = before[node];
}

void Placement::share_evenly() {
  const std::vector<std::int64_t> owned =
      owned_by_node(even_slots_by_set(keys_.slots(), *replicas_), *replicas_, nodes_);
  for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket) {
    for (std::size_t node = 0; node < nodes_; ++node) {
      const OwnedSlots slots = OwnedSlots::even(keys_.slots(), owned[node]);
      shares_[bucket * nodes_ + node] = {.owned = owned[node],
                                         .start = NodeRows(slots, buckets_[bucket].first_row).start()};
    }
  }
}

std::vector<int> Placement::sets(std::size_t bucket) const {
  SIM_CHECK(plan_.kind != PlacementKind::even, "keys of even placement are not hashed");
  return hashed_sets(keys_, buckets_[sources_[bucket]].label, *replicas_);
}

OwnedSlots Placement::slots(std::size_t bucket, int node) const {
  if (plan_.kind == PlacementKind::even) return OwnedSlots::even(keys_.slots(), owned(bucket, node));
  return slots_of_node(sets(bucket), node, *replicas_);
}

}  // namespace windrow
