#include "sim/ring/ownership.h"

#include <fmt/format.h>

#include "sim/base/arithmetic.h"

namespace windrow {
namespace {

constexpr Int128 ring_length = static_cast<Int128>(max_token) - min_token - 1;  // as the engine counts: 2^64 - 2
constexpr Int128 million = 1'000'000;

float share_of(Token begin, Token end) {
  const Int128 length = (static_cast<Int128>(end) - begin + ring_length) % ring_length;
  Int128 millionths = length * million / ring_length;
  const Int128 twice_rest = (length * million - millionths * ring_length) * 2;
  const bool half = twice_rest == ring_length;
  if (twice_rest > ring_length || (half && millionths % 2 != 0)) ++millionths;
  return static_cast<float>(millionths) / 1e6F;
}

}  // namespace

std::vector<float> range_shares(std::span<const Token> ends) {
  if (ends.size() == 1) return {1.0F};
  std::vector<float> shares;
  Token begin = ends.back();
  for (const Token end : ends) {
    shares.push_back(share_of(begin, end));
    begin = end;
  }
  return shares;
}

std::vector<float> effective_ownership(const ReplicaMap& replicas, std::size_t nodes) {
  std::vector<Token> ends;
  for (std::size_t range = 0; range < replicas.ranges(); ++range) ends.push_back(replicas.end_of(range));
  const std::vector<float> shares = range_shares(ends);
  std::vector<float> owned(nodes, 0.0F);
  for (std::size_t range = 0; range < ends.size(); ++range) {
    for (const int node : replicas.replicas(range)) owned[static_cast<std::size_t>(node)] += shares[range];
  }
  return owned;
}

std::string ownership_text(float share, int decimals) {
  return fmt::format("{:.{}f}%", static_cast<double>(share) * 100, decimals);
}

}  // namespace windrow
