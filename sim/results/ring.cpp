#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "sim/results/node_load.h"
#include "sim/ring/ownership.h"
#include "sim/text/csv.h"
#include "sim/text/text.h"

namespace windrow {

namespace {

constexpr std::array<std::string_view, 4> ring_columns = {"dc", "node", "rack", "token"};

/// A scenario has no addresses: 10, then the data centre and the node, both from 1.
std::string address(const NodePlace& place, int node) {
  return fmt::format("10.{}.{}.{}", place.datacenter + 1, (node + 1) / 256, (node + 1) % 256);
}

/// Load and host of a node are not told by this model.
constexpr std::string_view unknown = "?";

}  // namespace

void write_ring(const RunRecord& record, Sink& sink) {
  const ClusterRing& ring = *record.scenario->ring;
  std::vector<std::vector<Token>> tokens(ring.places.size());
  for (const OwnedToken& owned : ring.tokens.tokens())
    tokens[static_cast<std::size_t>(owned.node)].push_back(owned.token);
  CsvFile csv(sink, "ring.csv", ring_columns);
  for (std::size_t node = 0; node < tokens.size(); ++node) {
    const NodePlace& place = ring.places[node];
    for (const Token token : tokens[node]) {
      csv.text(record.scenario->data_centers[static_cast<std::size_t>(place.datacenter)].name);
      csv.number(static_cast<std::int64_t>(node) + 1).word(rack_name(place)).number(token).end_row();
    }
  }
  csv.close();
}

// Columns as Cassandra 5.0.9 prints them (tests/tokens): nodetool.Ring, nodetool.Status.

void write_nodetool_ring(const RunRecord& record, Sink& sink) {
  const ClusterRing& ring = *record.scenario->ring;
  const ReplicaMap replicas(ring.tokens, ring.places, ring.replication);
  const std::vector<float> owned = effective_ownership(replicas, ring.places.size());
  sink.open("nodetool/ring.txt");
  for (std::size_t center = 0; center < record.scenario->data_centers.size(); ++center) {
    std::string lines;
    Token last = 0;
    for (const OwnedToken& token : ring.tokens.tokens()) {
      const NodePlace& place = ring.places[static_cast<std::size_t>(token.node)];
      if (place.datacenter != static_cast<int>(center)) continue;
      lines +=
          fmt::format("{:<17}{:<12}{:<7}{:<8}{:<16}{:<20}{:<44}\n", address(place, token.node), rack_name(place), "Up",
                      "Normal", unknown, ownership_text(owned[static_cast<std::size_t>(token.node)], 2), token.token);
      last = token.token;
    }
    sink.append(fmt::format("\nDatacenter: {}\n==========\n", printable(record.scenario->data_centers[center].name)));
    sink.append(fmt::format("{:<17}{:<12}{:<7}{:<8}{:<16}{:<20}{:<44}\n", "Address", "Rack", "Status", "State", "Load",
                            "Owns", "Token"));
    sink.append(fmt::format("{:80}{:<44}\n", "", last));
    sink.append(lines);
  }
}

void write_nodetool_status(const RunRecord& record, Sink& sink) {
  const ClusterRing& ring = *record.scenario->ring;
  const ReplicaMap replicas(ring.tokens, ring.places, ring.replication);
  const std::vector<float> owned = effective_ownership(replicas, ring.places.size());
  std::vector<int> tokens(ring.places.size(), 0);
  for (const OwnedToken& token : ring.tokens.tokens()) ++tokens[static_cast<std::size_t>(token.node)];
  std::size_t addresses = std::string_view("Address").size();
  for (std::size_t node = 0; node < ring.places.size(); ++node)
    addresses = std::max(addresses, address(ring.places[node], static_cast<int>(node)).size());
  sink.open("nodetool/status.txt");
  for (std::size_t center = 0; center < record.scenario->data_centers.size(); ++center) {
    const std::string title = fmt::format("Datacenter: {}", printable(record.scenario->data_centers[center].name));
    sink.append(fmt::format("{}\n{:=<{}}\n", title, "", title.size()));
    sink.append("Status=Up/Down\n|/ State=Normal/Leaving/Joining/Moving\n");
    sink.append(fmt::format("--  {:<{}}  Load  Tokens  Owns (effective)  Host ID  Rack \n", "Address", addresses));
    for (std::size_t node = 0; node < ring.places.size(); ++node) {
      const NodePlace& place = ring.places[node];
      if (place.datacenter != static_cast<int>(center)) continue;
      sink.append(fmt::format("UN  {:<{}}  {:<4}  {:<6}  {:<16}  {:<7}  {}\n", address(place, static_cast<int>(node)),
                              addresses, unknown, tokens[node], ownership_text(owned[node], 1), unknown,
                              rack_name(place)));
    }
    sink.append("\n");
  }
}

}  // namespace windrow
