#include "sim/scenario/read_fan_out.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "sim/base/power.h"
#include "sim/scenario/cluster_ring.h"
#include "sim/scenario/node_count.h"

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

/// The replicas of a range that a coordinator of `own` asks, which holds nothing of it: those of its data centre first,
/// each in the order of the ring.
std::vector<int> asked_of_range(const ClusterRing& ring, std::span<const int> replicas,
                                const std::vector<DataCenter>& centers, std::size_t own, Consistency consistency) {
  const auto center_of = [&](int node) {
    return static_cast<std::size_t>(ring.places[static_cast<std::size_t>(node)].datacenter);
  };
  std::vector<int> asked;
  if (consistency == Consistency::each_quorum) {
    std::vector<int> left;
    for (const DataCenter& center : centers) left.push_back(center.replication_factor / 2 + 1);
    for (const int node : replicas) {
      if (left[center_of(node)]-- > 0) asked.push_back(node);
    }
  } else {
    asked.assign(replicas.begin(), replicas.end());
    const auto waited_for = static_cast<std::size_t>(replicas_waited_for(consistency, centers, own));
    std::stable_partition(asked.begin(), asked.end(), [&](int node) { return center_of(node) == own; });
    asked.resize(std::min(asked.size(), waited_for));
  }
  return asked;
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
  const auto told = [](const DataCenter& center) { return center.placement == DataCenter::Placement::hashed; };
  if (scenario.ring && std::ranges::all_of(centers, told)) {
    follow_ring(*scenario.ring, centers, consistency);
  } else {
    follow_shares(centers, consistency);
  }
}

void ReadFanOut::follow_ring(const ClusterRing& ring, const std::vector<DataCenter>& centers, Consistency consistency) {
  const ReplicaMap replicas(ring.tokens, ring.places, ring.replication);
  const std::size_t nodes = ring.places.size();
  const auto center_of = [&](int node) {
    return static_cast<std::size_t>(ring.places[static_cast<std::size_t>(node)].datacenter);
  };
  for (std::size_t own = 0; own < centers.size(); ++own) {
    std::vector<std::map<std::size_t, double>> differ(nodes);
    std::vector<double> reached(nodes, 0);
    for (std::size_t range = 0; range < replicas.ranges(); ++range) {
      const double share = replicas.share_of(range);
      const std::vector<int> asked = asked_of_range(ring, replicas.replicas(range), centers, own, consistency);
      for (const int node : asked) reached[static_cast<std::size_t>(node)] += share;
      const auto last =
          std::ranges::find_if(asked.rbegin(), asked.rend(), [&](int node) { return center_of(node) == own; });
      if (last == asked.rend()) continue;
      for (const int node : replicas.replicas(range)) {
        if (center_of(node) != own || std::ranges::find(asked, node) != asked.end()) continue;
        auto& of_coordinator = differ[static_cast<std::size_t>(node)];  // asks itself instead of the last one
        of_coordinator[static_cast<std::size_t>(node)] += share;
        of_coordinator[static_cast<std::size_t>(*last)] -= share;
      }
    }
    Coordinators& of = of_center_.emplace_back(
        Coordinators{.share = static_cast<double>(centers[own].nodes) / static_cast<double>(nodes)});
    of.reached = std::move(reached);
    for (std::size_t node = 0; node < nodes; ++node) {
      if (center_of(static_cast<int>(node)) != own) continue;
      std::vector<Other>& others = of.differ.emplace_back();
      for (const auto& [other, more] : differ[node]) others.push_back({.node = other, .more = more});
    }
  }
}

void ReadFanOut::follow_shares(const std::vector<DataCenter>& centers, Consistency consistency) {
  const int nodes = node_count(centers);
  for (std::size_t own = 0; own < centers.size(); ++own) {
    const std::vector<double> asked = asked_in(centers, own, consistency);
    Coordinators& of = of_center_.emplace_back(Coordinators{.share = static_cast<double>(centers[own].nodes) / nodes});
    for (std::size_t i = 0; i < centers.size(); ++i) {
      const double count = centers[i].nodes;
      const double itself = std::min(1.0, centers[i].replication_factor / count);
      for (int node = 0; node < centers[i].nodes; ++node) {
        const double others = i != own ? asked[i] / count : count > 1 ? (asked[i] - itself) / (count - 1) : 0;
        of.reached.push_back(std::clamp(i == own && node == 0 ? itself : others, 0.0, 1.0));
      }
    }
    of.differ.emplace_back();
  }
}

double ReadFanOut::nodes(std::int64_t partitions) const {
  const auto ever = [&](double one) { return 1 - whole_power(1 - std::clamp(one, 0.0, 1.0), partitions); };
  double sum = 0;
  for (const Coordinators& of : of_center_) {
    double usual = 0;
    for (const double one : of.reached) usual += ever(one);
    double differ = 0;
    for (const std::vector<Other>& coordinator : of.differ) {
      for (const auto& [node, more] : coordinator) differ += ever(of.reached[node] + more) - ever(of.reached[node]);
    }
    sum += of.share * (usual + differ / static_cast<double>(of.differ.size()));
  }
  return sum;
}

}  // namespace windrow
