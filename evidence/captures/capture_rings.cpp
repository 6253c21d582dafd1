#include "evidence/captures/capture_rings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "sim/ring/allocation.h"
#include "sim/ring/ownership.h"
#include "sim/ring/replica_map.h"
#include "sim/ring/ring_error.h"
#include "sim/ring/split_largest.h"

namespace windrow {
namespace {

class Check {
 public:
  Check(std::string_view name, const RecordedRing& recorded) : name_(name), recorded_(recorded) {
    std::vector<std::string> racks;
    for (const RecordedJoin& join : recorded.joined) {
      auto rack = std::ranges::find(racks, join.rack);
      if (rack == racks.end()) rack = racks.insert(racks.end(), join.rack);
      places_.push_back({.datacenter = 0, .rack = static_cast<int>(rack - racks.begin())});
    }
  }

  CaptureRingResult run() {
    for (std::size_t i = 0; i < recorded_.joined.size(); ++i) {
      const RecordedJoin& join = recorded_.joined[i];
      joined_ = i + 1;
      allocate(static_cast<int>(i));
      compare(join.texts);
    }
    compare(recorded_.at_end);
    for (const TokenList& list : recorded_.lists) compare_list(list);
    return std::move(result_);
  }

 private:
  bool same(const std::string& field, const std::string& expected, const std::string& ours) {
    ++result_.cases;
    if (expected == ours) {
      ++result_.agreeing;
      return true;
    }
    result_.disagreements.push_back({.case_name = name_, .field = field, .expected = expected, .ours = ours});
    return false;
  }

  const RecordedJoin& join_of(int node) const { return recorded_.joined[static_cast<std::size_t>(node)]; }
  std::span<const NodePlace> places() const { return std::span(places_).first(joined_); }

  /// The one of the first node's tokens of which the others are split; the recording does not say which.
  Token first_token() const {
    const std::vector<Token>& tokens = recorded_.joined.front().tokens;
    for (const Token token : tokens) {
      std::vector<Token> made = split_largest({}, std::min(2, recorded_.num_tokens), token);
      if (!std::ranges::binary_search(tokens, made.back())) continue;
      made = split_largest({}, recorded_.num_tokens, token);
      std::ranges::sort(made);
      if (made == tokens) return token;
    }
    return tokens.front();
  }

  /// The tokens that a node would get in the ring of those before it, as they were recorded.
  void allocate(int node) {
    const RecordedJoin& join = join_of(node);
    const AllocationRule rule{.num_tokens = recorded_.num_tokens, .replicas = recorded_.allocation_replicas};
    std::vector<Token> ours;
    std::string refusal;
    try {
      ours = allocate_tokens(ring_, places(), node, rule, first_token());
    } catch (const RingError& error) {
      refusal = error.what();
    }
    for (std::size_t i = 0; i < join.tokens.size(); ++i) {
      ++result_.tokens;
      const bool found = std::ranges::binary_search(ours, join.tokens[i]);
      const std::string expected = std::to_string(join.tokens[i]);
      const std::string instead = i < ours.size() ? std::to_string(ours[i]) : refusal;
      same(fmt::format("token {} of node {}", i + 1, join.node), expected, found ? expected : instead);
    }
    if (ours.size() > join.tokens.size()) {
      same(fmt::format("tokens of node {}", join.node), std::to_string(join.tokens.size()),
           std::to_string(ours.size()));
    }
    ring_.join(node, join.tokens);
  }

  ReplicaMap replicas(int factor) const {
    return {ring_, places(), {.strategy = Replication::Strategy::network_topology, .factors = {factor}}};
  }

  void compare(const RecordedTexts& texts) {
    for (const RecordedText& text : texts.ring) compare_ring(text);
    for (const RecordedText& text : texts.status) compare_status(text);
    for (const RecordedText& text : texts.describering) compare_ranges(text);
  }

  void compare_ring(const RecordedText& text) {
    std::vector<float> owned;
    if (text.replicas > 0) owned = effective_ownership(replicas(text.replicas), joined_);
    const std::vector<RingLine> lines = ring_lines(text);
    for (const RingLine& line : lines) {
      ++result_.lines;
      std::string expected = fmt::format("{} {}", line.address, line.rack);
      if (!owned.empty()) expected += " " + line.owns;
      std::string ours = "nobody's";
      if (const OwnedToken* found = ring_.find(line.token)) {
        const RecordedJoin& owner = join_of(found->node);
        ours = fmt::format("{} {}", owner.address, owner.rack);
        if (!owned.empty()) ours += " " + ownership_text(owned[static_cast<std::size_t>(found->node)], 2);
      }
      same(fmt::format("{}: {}", text.field, line.token), expected, ours);
    }
    if (lines.size() != ring_.size()) {
      same(text.field + ": tokens", std::to_string(lines.size()), std::to_string(ring_.size()));
    }
  }

  void compare_status(const RecordedText& text) {
    const std::map<std::string, std::string> recorded = status_ownership(text);
    const std::vector<float> owned = effective_ownership(replicas(text.replicas), joined_);
    for (std::size_t node = 0; node < joined_; ++node) {
      ++result_.percentages;
      const std::string& address = recorded_.joined[node].address;
      const auto share = recorded.find(address);
      same(fmt::format("{}: {}", text.field, address), share == recorded.end() ? "nothing" : share->second,
           ownership_text(owned[node], 1));
    }
    if (recorded.size() != joined_) {
      same(text.field + ": nodes", std::to_string(recorded.size()), std::to_string(joined_));
    }
  }

  std::string described(Token begin, Token end, std::span<const int> nodes) const {
    std::string addresses;
    std::string details;
    for (const int node : nodes) {
      const RecordedJoin& join = join_of(node);
      const std::string_view comma = addresses.empty() ? "" : ", ";
      addresses += fmt::format("{}{}", comma, join.address);
      details += fmt::format("{}EndpointDetails(host:{}, datacenter:{}, rack:{})", comma, join.address, join.datacenter,
                             join.rack);
    }
    return fmt::format(
        "TokenRange(start_token:{}, end_token:{}, endpoints:[{}], rpc_endpoints:[{}], endpoint_details:[{}])", begin,
        end, addresses, addresses, details);
  }

  void compare_ranges(const RecordedText& text) {
    const std::map<Token, std::string> recorded = described_ranges(text);
    const ReplicaMap ours = replicas(text.replicas);
    Token begin = ours.end_of(ours.ranges() - 1);
    for (std::size_t range = 0; range < ours.ranges(); ++range) {
      ++result_.ranges;
      const Token end = ours.end_of(range);
      const auto line = recorded.find(end);
      same(fmt::format("{}: {}", text.field, end), line == recorded.end() ? "nothing" : line->second,
           described(begin, end, ours.replicas(range)));
      begin = end;
    }
    if (recorded.size() != ours.ranges()) {
      same(text.field + ": ranges", std::to_string(recorded.size()), std::to_string(ours.ranges()));
    }
  }

  void compare_list(const TokenList& list) {
    const auto join = std::ranges::find(recorded_.joined, list.node, &RecordedJoin::node);
    same(fmt::format("{}: node {}", list.field, list.node), fmt::format("{}", fmt::join(list.tokens, " ")),
         fmt::format("{}", fmt::join(join->tokens, " ")));
  }

  std::string name_;
  const RecordedRing& recorded_;
  std::vector<NodePlace> places_{};
  std::size_t joined_ = 0;
  TokenRing ring_{};  // as recorded
  CaptureRingResult result_{};
};

}  // namespace

CaptureRingResult verify_capture_ring(std::string_view name, const RecordedRing& ring) {
  try {
    refuse_num_tokens(ring.num_tokens);
    return Check(name, ring).run();
  } catch (const RingError& error) {
    throw RecordedRingError(error.what());
  }
}

}  // namespace windrow
