#include "sim/engine/outputs.h"

#include <fmt/core.h>

#include <cmath>
#include <string>

#include "sim/base/arithmetic.h"
#include "sim/content/measure.h"

namespace windrow {

std::vector<Content> split_by_size(const ContentSpace& space, const Content& content, Bytes limit_bytes, double disk_share) {
  const FileHistograms dear = measure_by_rows(space, content).second;
  std::vector<Token> ends;
  Bytes written = 0;
  for (std::size_t i = 0; i < dear.tokens.size(); ++i) {
    if (std::floor(static_cast<double>(written) * disk_share) > static_cast<double>(limit_bytes)) {
      ends.push_back(dear.tokens[i - 1]);
      written = 0;
    }
    written += dear.partition_bytes[i];
  }
  return split_by_tokens(space, content, ends);
}

std::vector<Content> split_by_tokens(const ContentSpace& space, const Content& content, const std::vector<Token>& ends) {
  std::vector<Content> parts;
  Token first = min_token;
  for (std::size_t i = 0; i <= ends.size(); ++i) {
    const Token last = i < ends.size() ? ends[i] : max_token;
    Content part = ends.empty() ? content : restrict_to(space, content, first, last);
    if (!part.empty()) parts.push_back(std::move(part));
    if (last == max_token) break;
    first = last + 1;
  }
  return parts;
}

namespace {

/// A share of the ring as Murmur3Partitioner.split cuts it, Cassandra 5.0.9: the decimal that prints the double `share`, multiplied
/// exactly, truncated toward zero.
Token token_at(double share) {
  const std::string decimal = fmt::format("{}", share);
  Int128 numerator = 0;
  Int128 denominator = 1;
  const std::size_t exponent = decimal.find('e');
  for (const char digit : decimal.substr(decimal.find('.') + 1, exponent == std::string::npos ? std::string::npos : 0)) {
    numerator = numerator * 10 + (digit - '0');
    denominator *= 10;
  }
  const Int128 length = (Int128{1} << 64) - 1;
  if (exponent != std::string::npos) return static_cast<Token>(min_token + length / static_cast<Int128>(std::llround(1 / share)));
  return static_cast<Token>((length * numerator + Int128{min_token} * denominator) / denominator);
}

}  // namespace

std::vector<Token> shard_ends(std::int64_t shards) {
  std::vector<Token> ends;
  for (std::int64_t k = 1; k < shards; ++k) ends.push_back(token_at(1.0 / static_cast<double>(shards) * static_cast<double>(k)));
  return ends;
}

double ring_share(Token first, Token last) {
  const auto steps = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first) + 1;
  return std::ldexp(static_cast<double>(steps), -64);
}

}  // namespace windrow
