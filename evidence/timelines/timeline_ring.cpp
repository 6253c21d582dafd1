#include "evidence/timelines/timeline_ring.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

namespace windrow {

std::vector<int> TimelineRing::replicas(Token token) const {
  const auto tokens = ring_.tokens();
  const auto first = std::ranges::lower_bound(tokens, token, {}, &OwnedToken::token);
  std::vector<int> order;
  const auto meet = [&](const OwnedToken& owned) {
    if (std::ranges::find(order, owned.node) == order.end()) order.push_back(owned.node);
  };
  std::for_each(first, tokens.end(), meet);
  std::for_each(tokens.begin(), first, meet);
  return order;
}

std::vector<TokenRange> TimelineRing::ranges() const {
  const auto tokens = ring_.tokens();
  std::vector<TokenRange> all;
  Token left = tokens.back().token;
  for (const OwnedToken& owned : tokens) {
    all.push_back({left, owned.token});
    left = owned.token;
  }
  return all;
}

std::vector<TokenRange> TimelineRing::primary_ranges(int node) const {
  std::vector<TokenRange> mine;
  for (const TokenRange& range : ranges()) {
    if (ring_.find(range.right)->node == node) mine.push_back(range);
  }
  return mine;
}

TimelineRing parse_timeline_ring(std::string_view json) {
  std::vector<OwnedToken> tokens;
  const nlohmann::json file = nlohmann::json::parse(json);
  for (const auto& [name, owned] : file.at("tokens").items()) {
    if (name.size() != 1 || name[0] < 'A' || name[0] > 'Z') throw std::runtime_error("node '" + name + "' is unknown");
    for (const Token token : owned.get<std::vector<Token>>()) tokens.push_back({.token = token, .node = name[0] - 'A'});
  }
  if (tokens.empty()) throw std::runtime_error("the ring has no tokens");
  return TimelineRing(TokenRing(std::move(tokens)));
}

TimelineRing harness_ring() {
  return TimelineRing(TokenRing({{-8005384034711838087, 2},
                                 {-6837228106221398945, 1},
                                 {-5192568954219888580, 0},
                                 {-3465015921250361738, 2},
                                 {-2301524572835813742, 0},
                                 {45472578652148761, 1},
                                 {1585820758713050576, 1},
                                 {3125985040938438786, 2},
                                 {4096532976650369740, 0},
                                 {5913455021165710443, 2},
                                 {7087079228939484707, 1},
                                 {8906882935892269174, 0}}));
}

}  // namespace windrow
