#include "sim/ring/replica_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "sim/base/check.h"
#include "sim/ring/natural_replicas.h"
#include "sim/ring/ring_error.h"
#include "sim/stats/ring_share.h"

namespace windrow {
namespace {

/// What the constructor fills of sets.
struct Sets {
  std::vector<int> of_range{};
  std::vector<int> nodes{};
};

Sets sets_of(const NaturalReplicas& natural, std::size_t ranges) {
  Sets sets;
  std::map<std::vector<int>, int> numbers;
  for (std::size_t range = 0; range < ranges; ++range) {
    const auto first = natural.nodes.begin() + static_cast<std::ptrdiff_t>(range * natural.each);
    std::vector<int> nodes(first, first + static_cast<std::ptrdiff_t>(natural.each));
    std::ranges::sort(nodes);
    const auto [known, is_new] = numbers.try_emplace(nodes, static_cast<int>(numbers.size()));
    if (is_new) sets.nodes.insert(sets.nodes.end(), nodes.begin(), nodes.end());
    sets.of_range.push_back(known->second);
  }
  return sets;
}

}  // namespace

void refuse_more_replicas_than_nodes(std::span<const NodePlace> places, const Replication& replication) {
  const bool simple = replication.strategy == Replication::Strategy::simple;
  std::vector<int> nodes(1, 0);
  for (const NodePlace& place : places) {
    const std::size_t dc = simple ? 0 : static_cast<std::size_t>(place.datacenter);
    if (dc >= nodes.size()) nodes.resize(dc + 1, 0);
    ++nodes[dc];
  }
  for (std::size_t dc = 0; dc < replication.factors.size(); ++dc) {
    const int there = dc < nodes.size() ? nodes[dc] : 0;
    if (replication.factors[dc] <= there) continue;
    throw RingError(fmt::format("replication factor {} for {} nodes{}: accepts at most as many replicas as nodes",
                                replication.factors[dc], there, simple ? "" : fmt::format(" of data centre {}", dc)));
  }
}

ReplicaMap::ReplicaMap(const TokenRing& ring, std::span<const NodePlace> places, const Replication& replication) {
  SIM_CHECK(!ring.empty() && ring.size() < std::numeric_limits<std::uint32_t>::max(), "a ring has tokens");
  for (const OwnedToken& owned : ring.tokens()) ends_.push_back(owned.token);
  NaturalReplicas natural = natural_replicas(ring, places, replication);
  Sets sets = sets_of(natural, ring.size());
  replicas_each_ = natural.each;
  replicas_ = std::move(natural.nodes);
  set_of_range_ = std::move(sets.of_range);
  sets_ = std::move(sets.nodes);
  std::size_t range = 0;
  for (std::size_t slot = 0; slot < slots; ++slot) {
    while (range < ends_.size() && slot_of(ends_[range]) < slot) ++range;
    first_range_[slot] = static_cast<std::uint32_t>(range);
  }
  first_range_[slots] = static_cast<std::uint32_t>(ends_.size());
}

std::size_t ReplicaMap::search(Token token, std::size_t from, std::size_t to) const {
  const auto begin = ends_.begin() + static_cast<std::ptrdiff_t>(from);
  return static_cast<std::size_t>(std::lower_bound(begin, ends_.begin() + static_cast<std::ptrdiff_t>(to), token) -
                                  ends_.begin());
}

double ReplicaMap::share_of(std::size_t range) const { return ring_share(begin_of(range), end_of(range)); }

}  // namespace windrow
