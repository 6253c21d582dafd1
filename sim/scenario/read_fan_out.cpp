#include "sim/scenario/read_fan_out.h"

#include <algorithm>

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
  int waited_for = here / 2 + 1;  // LOCAL_QUORUM
  if (consistency == Consistency::one) waited_for = 1;
  if (consistency == Consistency::two) waited_for = 2;
  if (consistency == Consistency::three) waited_for = 3;
  if (consistency == Consistency::quorum) waited_for = all / 2 + 1;
  if (consistency == Consistency::all) waited_for = all;
  waited_for = std::min(waited_for, all);
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
  constexpr double whole = 18446744073709551616.0;
  const ReplicaMap replicas(ring.tokens, ring.places, ring.replication);
  std::vector<double> held(ring.places.size(), 0);
  for (std::size_t range = 0; range < replicas.ranges(); ++range) {
    const Token end = replicas.end_of(range);
    const Token begin = replicas.end_of(range > 0 ? range - 1 : replicas.ranges() - 1);
    const std::uint64_t length = static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(begin);
    const double share = replicas.ranges() == 1 ? 1 : static_cast<double>(length) / whole;
    for (const int node : replicas.replicas(range)) held[static_cast<std::size_t>(node)] += share;
  }
  return held;
}

/// The same bytes on every machine.
double power(double base, std::int64_t exponent) {
  double product = 1;
  for (; exponent > 0; exponent /= 2, base *= base) {
    if (exponent % 2 == 1) product *= base;
  }
  return product;
}

}  // namespace

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
    for (const double one : of.reached) reached += 1 - power(1 - one, partitions);
    sum += of.share * reached;
  }
  return sum;
}

}  // namespace windrow
