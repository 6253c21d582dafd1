#include "sim/scenario/read_fan_out.h"

#include <algorithm>

#include "sim/base/power.h"
#include "sim/scenario/cluster_ring.h"

namespace windrow {

namespace {

/// Replicas of each data centre that one read asks, where its coordinator is of `own`.
std::vector<double> asked_in(const std::vector<DataCenter>& centers, std::size_t own, Consistency consistency) {
  std::vector<double> asked(centers.size(), 0);
  int all = 0;
  for (const DataCenter& center : centers) all += center.replication_factor;
  const int here = centers[own].replication_factor;
  if (consistency == Consistency::each_quorum) {
    for (std::size_t i = 0; i < centers.size(); ++i) asked[i] = centers[i].replication_factor / 2 + 1;
    return asked;
  }
  const int waited_for = std::min(replicas_waited_for(consistency, centers, own), all);
  const int of_own = std::min(waited_for, here);
  asked[own] = of_own;
  for (std::size_t i = 0; i < centers.size(); ++i) {
    if (i != own && all > here)
      asked[i] = static_cast<double>(waited_for - of_own) * centers[i].replication_factor / (all - here);
  }
  return asked;
}

/// Of a node: the share of the ring that it is a replica of.
std::vector<double> held_by_node(const ClusterRing& ring) {
  const ReplicaMap replicas(ring.tokens, ring.places, ring.replication);
  std::vector<double> held(ring.places.size(), 0);
  for (std::size_t range = 0; range < replicas.ranges(); ++range) {
    for (const int node : replicas.replicas(range)) held[static_cast<std::size_t>(node)] += replicas.share_of(range);
  }
  return held;
}

}  // namespace

int replicas_waited_for(Consistency consistency, const std::vector<DataCenter>& data_centers, std::size_t own) {
  int all = 0;
  int of_each = 0;
  for (const DataCenter& center : data_centers) {
    all += center.replication_factor;
    of_each += center.replication_factor / 2 + 1;
  }
  switch (consistency) {
    case Consistency::one:
      return 1;
    case Consistency::two:
      return std::min(2, all);
    case Consistency::three:
      return std::min(3, all);
    case Consistency::quorum:
      return all / 2 + 1;
    case Consistency::local_quorum:
      return data_centers[own].replication_factor / 2 + 1;
    case Consistency::each_quorum:
      return of_each;
    case Consistency::all:
      return all;
  }
  return 1;
}

ReadFanOut::ReadFanOut(const Scenario& scenario, Consistency consistency) {
  const std::vector<DataCenter>& centers = scenario.data_centers;
  std::vector<double> held;
  std::vector<std::size_t> center_of;
  int nodes = 0;
  for (std::size_t i = 0; i < centers.size(); ++i) {
    nodes += centers[i].nodes;
    for (int node = 0; node < centers[i].nodes; ++node) {
      center_of.push_back(i);
      held.push_back(static_cast<double>(centers[i].replication_factor) / centers[i].nodes);
    }
  }
  const auto told = [](const DataCenter& center) { return center.placement == DataCenter::Placement::hashed; };
  if (scenario.ring && std::ranges::all_of(centers, told)) held = held_by_node(*scenario.ring);
  for (std::size_t own = 0; own < centers.size(); ++own) {
    const std::vector<double> asked = asked_in(centers, own, consistency);
    Coordinators& of = of_center_.emplace_back(Coordinators{.share = static_cast<double>(centers[own].nodes) / nodes});
    for (std::size_t node = 0; node < held.size(); ++node) {
      const std::size_t center = center_of[node];
      const double copies = std::max(1, centers[center].replication_factor);
      of.reached.push_back(std::min(1.0, held[node] * asked[center] / copies));
    }
  }
}

double ReadFanOut::nodes(std::int64_t partitions) const {
  double sum = 0;
  for (const Coordinators& of : of_center_) {
    double reached = 0;
    for (const double one : of.reached) reached += 1 - whole_power(1 - one, partitions);
    sum += of.share * reached;
  }
  return sum;
}

}  // namespace windrow
