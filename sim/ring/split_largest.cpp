#include "sim/ring/split_largest.h"

#include <algorithm>
#include <cmath>

#include "sim/base/check.h"
#include "sim/ring/token_arithmetic.h"
#include "sim/stats/java_random.h"
#include "sim/stats/ring_share.h"

namespace windrow {
namespace {

/// Where in ascending tokens the largest range ends, the first of several.
std::size_t end_of_largest(const std::vector<Token>& tokens) {
  std::size_t end = 0;
  double largest = 0;
  Token before = tokens.back();
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const double share = ring_share(before, tokens[i]);
    if (share > largest) {
      largest = share;
      end = i;
    }
    before = tokens[i];
  }
  return end;
}

}  // namespace

std::vector<Token> split_largest(const TokenRing& ring, int num_tokens, Token first_token) {
  SIM_CHECK(num_tokens > 0, "a node has tokens");
  const double least_share = 1.0 - 1.0 / std::sqrt(5.0);
  const double growth = least_share + 0.075 - least_share;
  JavaRandom random(static_cast<std::int64_t>(ring.size()));
  std::vector<Token> tokens;
  for (const OwnedToken& owned : ring.tokens()) tokens.push_back(owned.token);
  std::vector<Token> made;
  if (tokens.empty()) {
    tokens.push_back(first_token);
    made.push_back(first_token);
  }
  while (made.size() < static_cast<std::size_t>(num_tokens)) {
    const std::size_t end = end_of_largest(tokens);
    const Token begin = end == 0 ? tokens.back() : tokens[end - 1];
    const Token token = token_split(begin, tokens[end], least_share + growth * random.next_double());
    made.push_back(token);
    tokens.insert(std::ranges::lower_bound(tokens, token), token);
  }
  return made;
}

}  // namespace windrow
