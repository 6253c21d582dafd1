#include "sim/ring/natural_replicas.h"

#include <algorithm>
#include <set>
#include <utility>

#include "sim/base/check.h"

namespace windrow {
namespace {

/// What a data centre takes part with.
struct Members {
  int nodes = 0;
  int racks = 0;
};

std::vector<Members> members_of(const TokenRing& ring, std::span<const NodePlace> places, std::size_t datacenters) {
  std::set<int> nodes;
  for (const OwnedToken& owned : ring.tokens()) nodes.insert(owned.node);
  std::set<std::pair<int, int>> racks;
  std::vector<Members> members(datacenters);
  for (const int node : nodes) {
    const NodePlace& place = places[static_cast<std::size_t>(node)];
    Members& own = members[static_cast<std::size_t>(place.datacenter)];
    ++own.nodes;
    if (racks.emplace(place.datacenter, place.rack).second) ++own.racks;
  }
  return members;
}

/// Numbers that one walk has met; a new walk begins without any.
class Met {
 public:
  explicit Met(std::size_t numbers) : walks_(numbers, -1) {}
  bool add(std::size_t number, std::int64_t walk) { return std::exchange(walks_[number], walk) != walk; }

 private:
  std::vector<std::int64_t> walks_;
};

/// What a data centre still wants of a walk.
struct Wanted {
  int replicas = 0;
  int rack_repeats = 0;
};

class Walker {
 public:
  Walker(const TokenRing& ring, std::span<const NodePlace> places, std::vector<Wanted> wanted, std::size_t racks,
         bool by_rack)
      : ring_(ring),
        places_(places),
        wanted_(std::move(wanted)),
        racks_(racks),
        by_rack_(by_rack),
        met_nodes_(places.size()),
        met_racks_(wanted_.size() * racks) {
    for (const Wanted& one : wanted_) each_ += one.replicas;
  }

  std::size_t each() const { return static_cast<std::size_t>(each_); }

  void walk(std::size_t from, std::vector<int>& nodes) {
    left_ = wanted_;
    int missing = each_;
    for (std::size_t step = 0; missing > 0; ++step) {
      SIM_CHECK(step < ring_.size(), "a walk around the ring finds every replica");
      const int node = ring_.tokens()[(from + step) % ring_.size()].node;
      if (!takes(node, static_cast<std::int64_t>(from))) continue;
      nodes.push_back(node);
      --missing;
    }
  }

 private:
  bool takes(int node, std::int64_t walk) {
    const NodePlace& place = places_[static_cast<std::size_t>(node)];
    const std::size_t datacenter = by_rack_ ? static_cast<std::size_t>(place.datacenter) : 0;
    Wanted& left = left_[datacenter];
    if (left.replicas == 0) return false;
    if (by_rack_ && !met_racks_.add(datacenter * racks_ + static_cast<std::size_t>(place.rack), walk)) {
      if (left.rack_repeats <= 0 || !met_nodes_.add(static_cast<std::size_t>(node), walk)) return false;
      --left.rack_repeats;
    } else if (!met_nodes_.add(static_cast<std::size_t>(node), walk)) {
      return false;
    }
    --left.replicas;
    return true;
  }

  const TokenRing& ring_;
  std::span<const NodePlace> places_;
  std::vector<Wanted> wanted_;
  std::vector<Wanted> left_{};
  std::size_t racks_;  // numbers of racks of any data centre
  bool by_rack_;
  int each_ = 0;
  Met met_nodes_;
  Met met_racks_;
};

Walker walker_of(const TokenRing& ring, std::span<const NodePlace> places, const Replication& replication) {
  std::size_t datacenters = 1;
  std::size_t racks = 1;
  for (const NodePlace& place : places) {
    datacenters = std::max(datacenters, static_cast<std::size_t>(place.datacenter) + 1);
    racks = std::max(racks, static_cast<std::size_t>(place.rack) + 1);
  }
  std::vector<Members> members = members_of(ring, places, datacenters);
  const bool by_rack = replication.strategy == Replication::Strategy::network_topology;
  if (!by_rack) {
    Members all;
    for (const Members& one : members) all.nodes += one.nodes;
    members = {all};
  }
  std::vector<Wanted> wanted;
  for (std::size_t dc = 0; dc < members.size(); ++dc) {
    const int factor = dc < replication.factors.size() ? replication.factors[dc] : 0;
    wanted.push_back({.replicas = std::min(factor, members[dc].nodes), .rack_repeats = factor - members[dc].racks});
  }
  return {ring, places, std::move(wanted), racks, by_rack};
}

}  // namespace

NaturalReplicas natural_replicas(const TokenRing& ring, std::span<const NodePlace> places,
                                 const Replication& replication) {
  Walker walker = walker_of(ring, places, replication);
  NaturalReplicas natural{.each = walker.each(), .nodes = {}};
  natural.nodes.reserve(natural.each * ring.size());
  for (std::size_t range = 0; range < ring.size(); ++range) walker.walk(range, natural.nodes);
  return natural;
}

}  // namespace windrow
