#include "sim/ring/token_ring.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "sim/base/check.h"

namespace windrow {

TokenRing::TokenRing(std::vector<OwnedToken> tokens) : tokens_(std::move(tokens)) {
  if (!std::ranges::is_sorted(tokens_, {}, &OwnedToken::token)) std::ranges::sort(tokens_, {}, &OwnedToken::token);
  const bool twice = std::ranges::adjacent_find(tokens_, {}, &OwnedToken::token) != tokens_.end();
  SIM_CHECK(!twice, "a token has one owner");
}

const OwnedToken* TokenRing::find(Token token) const {
  const auto found = std::ranges::lower_bound(tokens_, token, {}, &OwnedToken::token);
  return found != tokens_.end() && found->token == token ? &*found : nullptr;
}

void TokenRing::join(int node, std::span<const Token> tokens) {
  std::vector<OwnedToken> more;
  for (const Token token : tokens) more.push_back({.token = token, .node = node});
  std::ranges::sort(more, {}, &OwnedToken::token);
  std::vector<OwnedToken> all;
  all.reserve(tokens_.size() + more.size());
  std::ranges::merge(tokens_, more, std::back_inserter(all), {}, &OwnedToken::token, &OwnedToken::token);
  *this = TokenRing(std::move(all));
}

std::vector<Token> TokenRing::tokens_of(int node) const {
  std::vector<Token> tokens;
  for (const OwnedToken& owned : tokens_) {
    if (owned.node == node) tokens.push_back(owned.token);
  }
  return tokens;
}

}  // namespace windrow
