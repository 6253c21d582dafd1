#include "evidence/captures/recorded_ring.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <utility>

namespace windrow {
namespace {

using Json = nlohmann::json;

constexpr int keyspaces = 3;  // rf1, rf2, rf3

/// A value of the recording, and how one gets to it.
struct Value {
  const Json* json = nullptr;
  std::string path{};

  [[noreturn]] void wrong(std::string_view what) const {
    throw RecordedRingError(fmt::format("{}: {}", path.empty() ? "recording of a ring" : path, what));
  }
  bool has(const std::string& name) const { return json->is_object() && json->contains(name); }
  Value at(const std::string& name) const {
    if (!json->is_object()) wrong("is no object");
    if (!json->contains(name)) wrong("there is no " + name);
    return {&json->at(name), path.empty() ? name : path + "." + name};
  }
  std::vector<Value> items() const {
    if (!json->is_array() || json->empty()) wrong("is no list with something in it");
    std::vector<Value> values;
    for (const Json& item : *json) values.push_back({&item, fmt::format("{}[{}]", path, values.size())});
    return values;
  }
  std::string text() const {
    if (!json->is_string()) wrong("is no text");
    return json->get<std::string>();
  }
  int count() const {
    if (!json->is_number_integer() || *json < 1 || *json > std::numeric_limits<int>::max()) wrong("is no count");
    return json->get<int>();
  }
  Token token() const {
    if (!json->is_number_integer() || (json->is_number_unsigned() && json->get<std::uint64_t>() > max_token)) {
      wrong("is no token of 64 bits");
    }
    return json->get<Token>();
  }
  std::vector<Token> tokens() const {
    std::vector<Token> tokens;
    for (const Value& item : items()) tokens.push_back(item.token());
    std::ranges::sort(tokens);
    return tokens;
  }
  RecordedText recorded(const std::string& name, int replicas) const {
    const Value value = at(name);
    return {.field = value.path, .replicas = replicas, .text = value.text()};
  }
  std::vector<RecordedText> of_keyspaces(const std::string& name) const {
    std::vector<RecordedText> texts;
    for (int rf = 1; rf <= keyspaces; ++rf) texts.push_back(recorded(fmt::format("{}_rf{}", name, rf), rf));
    return texts;
  }
};

std::vector<Token> tokens_in(const std::vector<RingLine>& lines, const std::string& address) {
  std::vector<Token> tokens;
  for (const RingLine& line : lines) {
    if (line.address == address) tokens.push_back(line.token);
  }
  std::ranges::sort(tokens);
  return tokens;
}

/// nodetool info -T: "Token                  : -5192568954219888580".
std::vector<Token> tokens_in_info(const RecordedText& info) {
  std::vector<Token> tokens;
  std::istringstream stream(info.text);
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with("Token ")) continue;
    const Json token = Json::parse(line.substr(line.find(':') + 1), nullptr, false);
    tokens.push_back(Value{&token, info.field}.token());
  }
  if (tokens.empty()) throw RecordedRingError(info.field + ": no token in it");
  std::ranges::sort(tokens);
  return tokens;
}

/// The two shapes there are: three nodes, whose keyspaces were made at the end, and six, whose were there from the
/// start.
bool is_of_three(const Value& ring) { return ring.at("joined").items().front().has("ring_after_join"); }

void read_place(const Value& value, RecordedJoin& join) {
  const std::vector<RingLine> lines = ring_lines(join.texts.ring.front());
  const auto line = std::ranges::find(lines, join.address, &RingLine::address);
  if (line == lines.end()) value.wrong(join.texts.ring.front().field + " does not have " + join.address);
  join.datacenter = line->datacenter;
  join.rack = line->rack;
  if (join.tokens.empty()) join.tokens = tokens_in(lines, join.address);
}

RecordedJoin read_join(const Value& value, bool of_three) {
  RecordedJoin join{.node = value.at("node").text(), .address = value.at("address").text()};
  if (of_three) {
    join.texts.ring = {value.recorded("ring_after_join", 0)};
  } else {
    join.tokens = value.at("tokens").tokens();
    join.texts.ring = {value.recorded("nodetool_ring", 0)};
    join.texts.status = value.of_keyspaces("nodetool_status");
  }
  read_place(value, join);
  return join;
}

TokenList list_of(const Value& value, const std::string& node) {
  return {.field = value.path, .node = node, .tokens = value.tokens()};
}

void read_end_of_three(const Value& value, RecordedRing& ring) {
  ring.at_end.ring = value.of_keyspaces("nodetool_ring");
  ring.at_end.ring.push_back(value.recorded("nodetool_ring", 0));
  ring.at_end.status = value.of_keyspaces("nodetool_status");
  const Value tokens = value.at("tokens");
  for (const RecordedJoin& join : ring.joined) ring.lists.push_back(list_of(tokens.at(join.node), join.node));
  const RecordedText info = value.recorded("nodetool_info_T", 0);
  ring.lists.push_back({.field = info.field, .node = ring.joined.front().node, .tokens = tokens_in_info(info)});
}

void read_end_of_six(const Value& value, RecordedRing& ring) {
  ring.at_end.ring = {value.recorded("nodetool_ring_rf3", keyspaces)};
  ring.lists.push_back(list_of(value.at("system_local_tokens"), ring.joined.front().node));
  const Value peers = value.at("system_peers_tokens");
  for (std::size_t i = 1; i < ring.joined.size(); ++i) {
    const std::string& node = ring.joined[i].node;
    ring.lists.push_back(list_of(peers.at(node), node));
  }
}

void refuse_what_cannot_be(const RecordedRing& ring) {
  std::set<std::string> nodes;
  std::set<std::string> addresses;
  std::set<Token> tokens;
  for (const RecordedJoin& join : ring.joined) {
    if (!nodes.insert(join.node).second) throw RecordedRingError("joined: node " + join.node + " is there twice");
    if (!addresses.insert(join.address).second) throw RecordedRingError("joined: " + join.address + " is there twice");
    if (join.datacenter != ring.joined.front().datacenter) {
      throw RecordedRingError("joined: several data centres; what each keyspace has in them is not recorded");
    }
    for (const Token token : join.tokens) {
      if (!tokens.insert(token).second) throw RecordedRingError(fmt::format("joined: token {} is there twice", token));
    }
  }
}

}  // namespace

RecordedRing parse_recorded_ring(std::string_view json) {
  Json parsed;
  try {
    parsed = Json::parse(json);
  } catch (const Json::parse_error& error) {
    throw RecordedRingError(fmt::format("is no whole JSON: byte {} of {}", error.byte, json.size()));
  }
  const Value value{&parsed, {}};
  RecordedRing ring{.num_tokens = value.at("num_tokens").count(),
                    .allocation_replicas = value.at("allocate_tokens_for_local_replication_factor").count()};
  const bool of_three = is_of_three(value);
  for (const Value& join : value.at("joined").items()) ring.joined.push_back(read_join(join, of_three));
  refuse_what_cannot_be(ring);
  of_three ? read_end_of_three(value, ring) : read_end_of_six(value, ring);
  ring.at_end.describering = {value.recorded("nodetool_describering_rf3", keyspaces)};
  return ring;
}

}  // namespace windrow
