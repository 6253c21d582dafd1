#include "sim/engine/outputs.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "sim/base/arithmetic.h"
#include "sim/content/census.h"
#include "sim/content/measure.h"
#include "sim/content/token_sweep.h"
#include "sim/stats/ring_share.h"

namespace windrow {

namespace {

double tokens_in(Token first, Token last) { return static_cast<double>(tokens_between(first, last)) + 1; }

/// Where smooth content is cut: bytes lie evenly along the tokens of each cohort, and an output ends with the partition
/// that makes it longer than the limit.
std::vector<Token> smooth_ends(const ContentSpace& space, const Content& content, double limit_bytes) {
  const FileExtremes all = measure_by_intervals(space, content).extremes;
  const double most = limit_bytes + static_cast<double>(all.uncompressed_bytes) / static_cast<double>(all.partitions) / 2;
  if (static_cast<double>(all.uncompressed_bytes) <= most) return {};
  struct Part {
    Token first_token = 0;
    Token last_token = 0;
    double bytes_per_token = 0;
  };
  std::vector<Part> parts;
  double weights = 0;
  const RowFormat format = space.format(content.bases);
  for (const Cohort& cohort : content.cohorts) {
    const std::int64_t middle = cohort.from + (cohort.to - cohort.from) / 2;
    const double weight = static_cast<double>(space.rows(cohort)) * typical_row_bytes(space, cohort, format, middle);
    parts.push_back({cohort.first_token, cohort.last_token, weight / tokens_in(cohort.first_token, cohort.last_token)});
    weights += weight;
  }
  const double scale = static_cast<double>(all.uncompressed_bytes) / weights;
  std::vector<Token> ends;
  double written = 0;
  sweep_tokens(std::span<const Part>(parts), [&](Token first, Token last, std::span<const std::size_t> inside) {
    double per_token = 0;
    for (const std::size_t place : inside) per_token += parts[place].bytes_per_token * scale;
    const double width = tokens_in(first, last);
    double at = 0;  // tokens after the first
    while (written + (width - at) * per_token > most) {
      at += (most - written) / per_token;
      const Token end = first + static_cast<Token>(std::min(static_cast<std::uint64_t>(at), tokens_between(first, last)));
      if (end == max_token || (!ends.empty() && end <= ends.back())) break;
      ends.push_back(end);
      written = 0;
    }
    written += (width - at) * per_token;
  });
  return ends;
}

}  // namespace

std::vector<Content> split_by_size(const ContentSpace& space, Content content, Bytes limit_bytes, double disk_share) {
  if (space.smooth() && !content.keyed) {
    const std::vector<Token> ends = smooth_ends(space, content, static_cast<double>(limit_bytes) / disk_share);
    return split_by_tokens(space, std::move(content), ends);
  }
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
  return split_by_tokens(space, std::move(content), ends);
}

std::vector<Content> split_by_tokens(const ContentSpace& space, Content content, const std::vector<Token>& ends) {
  std::vector<Content> parts;
  if (ends.empty()) {
    if (!content.empty()) parts.push_back(std::move(content));
    return parts;
  }
  Token first = min_token;
  for (std::size_t i = 0; i <= ends.size(); ++i) {
    const Token last = i < ends.size() ? ends[i] : max_token;
    Content part = restrict_to(space, content, first, last);
    if (!part.empty()) parts.push_back(std::move(part));
    if (last == max_token) break;
    first = last + 1;
  }
  return parts;
}

namespace {

/// numerator / denominator is the decimal that prints a share of the ring, which is between 0 and 1.
struct Decimal {
  Int128 numerator = 0;
  Int128 denominator = 1;
};

Decimal decimal_of(double share) {
  Decimal decimal;
  const std::string text = fmt::format("{}", share);
  const std::size_t end = std::min(text.find('e'), text.size());
  bool fraction = false;
  for (const char digit : text.substr(0, end)) {
    if (digit == '.') {
      fraction = true;
      continue;
    }
    decimal.numerator = decimal.numerator * 10 + (digit - '0');
    if (fraction) decimal.denominator *= 10;
  }
  if (end < text.size()) {
    for (int exponent = std::stoi(text.substr(end + 1)); exponent < 0; ++exponent) decimal.denominator *= 10;
  }
  return decimal;
}

/// Murmur3Partitioner.split, Cassandra 5.0.9: the share as a decimal, the product exact, truncated toward zero.
Token token_at(double share) {
  const auto [numerator, denominator] = decimal_of(share);
  const Int128 steps = ((Int128{1} << 64) - 1) * numerator;
  const Int128 token = steps / denominator + min_token;
  return static_cast<Token>(token < 0 && steps % denominator != 0 ? token + 1 : token);
}

}  // namespace

const std::vector<Token>& shard_ends(std::int64_t shards) {
  thread_local std::map<std::int64_t, std::vector<Token>> known;  // every unified compaction asks
  const auto [place, added] = known.try_emplace(shards);
  std::vector<Token>& ends = place->second;
  if (!added) return ends;
  for (std::int64_t k = 1; k < shards; ++k)
    ends.push_back(token_at(1.0 / static_cast<double>(shards) * static_cast<double>(k)));
  return ends;
}

}  // namespace windrow
