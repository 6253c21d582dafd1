#include "sim/engine/outputs.h"

#include <cmath>

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

std::vector<Token> shard_ends(std::int64_t shards) {
  std::vector<Token> ends;
  const Int128 ring = Int128{1} << 64;
  for (std::int64_t k = 1; k < shards; ++k) ends.push_back(static_cast<Token>(ring * k / shards + min_token));
  return ends;
}

double ring_share(Token first, Token last) {
  const auto steps = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first) + 1;
  return std::ldexp(static_cast<double>(steps), -64);
}

}  // namespace windrow
