#include "sim/scenario/read_fan_out.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <span>
#include <vector>

namespace windrow {
namespace {

/// A coordinator's contacts, written down once more: itself, its data centre, the rest, each in the order of the ring.
std::vector<int> contacts(const ClusterRing& ring, std::span<const int> replicas, int coordinator, std::size_t most) {
  std::vector<int> order;
  const auto add = [&](auto wanted) {
    for (const int node : replicas) {
      if (wanted(node) && std::ranges::find(order, node) == order.end()) order.push_back(node);
    }
  };
  const auto center = [&](int node) { return ring.places[static_cast<std::size_t>(node)].datacenter; };
  add([&](int node) { return node == coordinator; });
  add([&](int node) { return center(node) == center(coordinator); });
  add([](int) { return true; });
  order.resize(std::min(order.size(), most));
  return order;
}

// Requests of one to four partitions through every coordinator, ring by ring.
TEST_CASE("nodes that a request reaches are those that its partitions' contacts are, counted key by key") {
  std::mt19937_64 random(19);
  const auto between = [&](int from, int to) {
    return from + static_cast<int>(random() % static_cast<unsigned>(to - from + 1));
  };
  for (int number = 0; number < 300; ++number) {
    Scenario scenario;
    scenario.data_centers.clear();
    ClusterRing ring;
    std::vector<OwnedToken> tokens;
    const int centers = between(1, 2);
    for (int dc = 0; dc < centers; ++dc) {
      const int copies = between(1, 3);
      const int nodes = between(copies, 6);
      scenario.data_centers.push_back({.nodes = nodes, .replication_factor = copies});
      ring.replication.factors.push_back(copies);
      for (int node = 0; node < nodes; ++node) {
        for (int i = 0; i < 3; ++i)
          tokens.push_back({.token = static_cast<Token>(random()), .node = static_cast<int>(ring.places.size())});
        ring.places.push_back({.datacenter = dc});
      }
    }
    ring.tokens = TokenRing(tokens);
    scenario.ring = std::make_shared<const ClusterRing>(ring);
    const ReplicaMap map(ring.tokens, ring.places, ring.replication);
    for (const Consistency level :
         {Consistency::one, Consistency::local_quorum, Consistency::quorum, Consistency::all}) {
      const ReadFanOut fan_out(scenario, level);
      const int partitions = between(1, 3);
      double expected = 0;
      const std::size_t coordinators = ring.places.size();
      for (std::size_t coordinator = 0; coordinator < coordinators; ++coordinator) {
        const auto own = static_cast<std::size_t>(ring.places[coordinator].datacenter);
        const auto most = static_cast<std::size_t>(replicas_waited_for(level, scenario.data_centers, own));
        std::vector<double> never(coordinators, 1);  // a node is reached by none of the partitions
        for (std::size_t node = 0; node < coordinators; ++node) {
          double by_one = 0;
          for (std::size_t range = 0; range < map.ranges(); ++range) {
            const std::vector<int> all = contacts(ring, map.replicas(range), static_cast<int>(coordinator), most);
            if (std::ranges::find(all, static_cast<int>(node)) != all.end()) by_one += map.share_of(range);
          }
          never[node] = std::pow(1 - by_one, partitions);
        }
        for (const double one : never) expected += (1 - one) / static_cast<double>(coordinators);
      }
      CHECK(fan_out.nodes(partitions) == doctest::Approx(expected).epsilon(1e-6));
    }
  }
}

TEST_CASE("where every node holds every row a coordinator reads at ONE from itself, however many partitions") {
  Scenario scenario;
  scenario.data_centers = {{.nodes = 3, .replication_factor = 3}};
  CHECK(ReadFanOut(scenario, Consistency::one).nodes(100) == doctest::Approx(1));
  CHECK(ReadFanOut(scenario, Consistency::quorum).nodes(1) == doctest::Approx(2));
  CHECK(ReadFanOut(scenario, Consistency::all).nodes(7) == doctest::Approx(3));
}

}  // namespace
}  // namespace windrow
