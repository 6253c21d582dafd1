#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "sim/ring/ownership.h"
#include "sim/ring/replica_map.h"
#include "sim/stats/murmur3.h"
#include "tests/ring/given_rings.h"
#include "tests/stats/data.h"

namespace windrow {
namespace {

using test::nodes_in_racks;

std::string names(std::span<const int> nodes) {
  std::string text;
  for (const int node : nodes) text += static_cast<char>('A' + node);
  return text;
}

Replication three_replicas() { return {.strategy = Replication::Strategy::network_topology, .factors = {3}}; }

/// A component of a composite partition key: length, bytes, a zero.
std::string component(const std::string& bytes) {
  return {std::string(1, '\0') + static_cast<char>(bytes.size()) + bytes + std::string(1, '\0')};
}

/// Partition key (text, text, int).
std::string sharded_key(const std::string& entity, const std::string& day, char shard) {
  return component(entity) + component(day) + component(std::string(3, '\0') + shard);
}

TEST_CASE("keys of a real cluster have their token and their replicas in their order") {
  const ReplicaMap replicas(test::three_nodes_4(), nodes_in_racks(3, 1), three_replicas());
  int keys = 0;
  for (const std::string& line : data_lines("tests/data/ring/keys.csv")) {
    const std::vector<std::string> fields = split(line, ',');
    const Token token = murmur3_token(fields.at(1));
    CHECK_MESSAGE(std::to_string(token) == fields.at(2), line);
    CHECK_MESSAGE(names(replicas.replicas(replicas.range_of(token))) == fields.at(3), line);
    ++keys;
  }
  CHECK(keys == 882);
}

TEST_CASE("a recorded ring's sharded keys go to the nodes they went to") {
  const ReplicaMap replicas(test::six_nodes_16(), nodes_in_racks(6, 1), three_replicas());
  const auto check = [&](const std::string& day, char shard, Token token, const std::string& nodes) {
    const Token ours = murmur3_token(sharded_key("jon_haddad", day, shard));
    CHECK(ours == token);
    CHECK(names(replicas.replicas(replicas.range_of(ours))) == nodes);
  };
  check("2026-01-01", 0, -1738940024682415440, "CDA");
  check("2026-01-01", 1, -6620820605405116871, "BFD");
  check("2026-01-01", 2, 6868599022340217691, "BFE");
  check("2026-01-01", 3, 6085669511821261310, "EAF");
  check("2026-01-02", 0, 8696885484206785806, "BFD");
  check("2026-01-02", 3, -1309030031486164467, "DAF");
  CHECK(replicas.sets() == 19);
}

TEST_CASE("ownership is printed as nodetool prints it") {
  const ReplicaMap replicas(test::six_nodes_16(), nodes_in_racks(6, 1), three_replicas());
  std::string text;
  for (const float share : effective_ownership(replicas, 6)) text += ownership_text(share, 2) + " ";
  CHECK(text == "48.97% 48.82% 51.08% 49.90% 50.73% 50.50% ");
}

TEST_CASE("a thousand devices give each node as many partitions of a day as on the recorded ring") {
  const ReplicaMap replicas(test::six_nodes_16(), nodes_in_racks(6, 1), three_replicas());
  const auto partitions = [&](const std::string& day) {
    std::vector<int> held(6, 0);
    for (int device = 0; device < 1000; ++device) {
      const Token token = murmur3_token(component(fmt::format("device-{:04}", device)) + component(day));
      for (const int node : replicas.replicas(replicas.range_of(token))) ++held[static_cast<std::size_t>(node)];
    }
    return held;
  };
  CHECK(partitions("2026-01-01") == std::vector{491, 487, 512, 477, 505, 528});
  CHECK(partitions("2026-01-02") == std::vector{460, 516, 508, 493, 507, 516});
  CHECK(partitions("2026-01-03") == std::vector{481, 511, 484, 496, 515, 513});
}

}  // namespace
}  // namespace windrow
