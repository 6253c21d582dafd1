#include "sim/ring/given_tokens.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "sim/ring/ring_error.h"

namespace windrow {
namespace {

using NodeName = std::pair<std::string, std::string>;  // data centre, node

NodeName name_of(const NamedNode& node) { return {node.datacenter, node.name}; }

std::string text_of(const NamedNode& node) {
  return node.datacenter.empty() ? node.name : fmt::format("{} of {}", node.name, node.datacenter);
}

int number_of(std::map<std::string, int>& numbers, const std::string& name) {
  return numbers.try_emplace(name, static_cast<int>(numbers.size())).first->second;
}

}  // namespace

std::vector<NamedNode> nodes_of(std::span<const GivenToken> rows) {
  std::vector<NamedNode> nodes;
  std::map<NodeName, std::string> racks;
  for (const GivenToken& row : rows) {
    const auto [known, is_new] = racks.try_emplace(name_of(row.node), row.node.rack);
    if (is_new) {
      nodes.push_back(row.node);
    } else if (known->second != row.node.rack) {
      throw RingError(
          fmt::format("node {} is in rack {} and in rack {}", text_of(row.node), known->second, row.node.rack));
    }
  }
  return nodes;
}

std::vector<NodePlace> places_of(std::span<const NamedNode> nodes) {
  std::vector<NodePlace> places;
  std::map<std::string, int> datacenters;
  std::map<std::string, std::map<std::string, int>> racks;
  for (const NamedNode& node : nodes) {
    places.push_back(
        {.datacenter = number_of(datacenters, node.datacenter), .rack = number_of(racks[node.datacenter], node.rack)});
  }
  return places;
}

TokenRing given_ring(std::span<const GivenToken> rows, std::span<const NamedNode> nodes) {
  std::map<NodeName, int> numbers;
  for (const NamedNode& node : nodes) numbers.emplace(name_of(node), static_cast<int>(numbers.size()));
  std::map<Token, int> owners;
  std::vector<OwnedToken> tokens;
  std::vector<bool> has_token(nodes.size(), false);
  for (const GivenToken& row : rows) {
    const auto number = numbers.find(name_of(row.node));
    if (number == numbers.end()) throw RingError(fmt::format("there is no node {}", text_of(row.node)));
    const NamedNode& node = nodes[static_cast<std::size_t>(number->second)];
    if (node.rack != row.node.rack) {
      throw RingError(fmt::format("node {} is in rack {}, not in {}", text_of(node), node.rack, row.node.rack));
    }
    if (row.token == min_token) throw RingError(fmt::format("token {}: accepts tokens above it", row.token));
    const auto [owner, is_new] = owners.try_emplace(row.token, number->second);
    if (!is_new) {
      throw RingError(fmt::format("token {} is there twice, of {} and of {}", row.token,
                                  text_of(nodes[static_cast<std::size_t>(owner->second)]), text_of(node)));
    }
    tokens.push_back({.token = row.token, .node = number->second});
    has_token[static_cast<std::size_t>(number->second)] = true;
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!has_token[i]) throw RingError(fmt::format("node {} has no token", text_of(nodes[i])));
  }
  return TokenRing(std::move(tokens));
}

}  // namespace windrow
