#include "sim/engine/outputs.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "sim/base/arithmetic.h"
#include "sim/content/measure.h"
#include "sim/stats/ring_share.h"

namespace windrow {

namespace {

/// Bytes on disk when so many uncompressed ones were written: a full chunk goes there with the first byte after it.
double on_disk(Bytes written, Bytes chunk_bytes, double share) {
  if (chunk_bytes == 0) return std::floor(static_cast<double>(written) * share);
  const Bytes chunks = std::max<Bytes>(0, written - 1) / chunk_bytes;
  return static_cast<double>(chunks * chunk_bytes) * share;
}

}  // namespace

std::vector<CutContent> split_by_size(const ContentSpace& space, Content content, const SizeLimit& limit,
                                      double trusted_doubt) {
  const auto most = static_cast<double>(limit.disk_bytes);
  if (space.lattice() != nullptr && !content.keyed) {
    // The chunk that is not yet on disk is half full in the mean.
    const double behind = static_cast<double>(limit.chunk_bytes) / 2;
    return cut_smooth(space, std::move(content), most / limit.disk_share(0) + behind);
  }
  if (content.keyed == nullptr && all_whole(content.cohorts) && space.drawn_rows(content.cohorts).empty()) {
    const ClosedMeasure closed = measure_by_intervals(space, content);
    const Bytes longest = closed.extremes.uncompressed_bytes + closed.doubt;
    if (is_trusted(closed, trusted_doubt) && on_disk(longest, limit.chunk_bytes, limit.disk_share(0)) <= most) {
      std::vector<CutContent> one(1);
      one.front().content = std::move(content);
      one.front().extremes = closed.extremes;
      return one;
    }
  }
  ByRows looked = measure_by_rows(space, content);
  const FileHistograms& dear = looked.second;
  std::vector<Token> ends;
  Bytes written = 0;
  double share = limit.disk_share(0);
  for (std::size_t i = 0; i < dear.tokens.size(); ++i) {
    if (on_disk(written, limit.chunk_bytes, share) > most) {
      ends.push_back(dear.tokens[i - 1]);
      written = 0;
      share = limit.disk_share(ends.size());
    }
    written += dear.partition_bytes[i];
  }
  std::vector<CutContent> parts = split_by_tokens(space, std::move(content), ends);
  if (ends.empty() && !parts.empty()) parts.front().by_rows = std::make_unique<ByRows>(std::move(looked));
  return parts;
}

std::vector<CutContent> split_by_tokens(const ContentSpace& space, Content content, const std::vector<Token>& ends) {
  std::vector<CutContent> parts;
  if (ends.empty()) {
    if (!content.empty()) parts.emplace_back().content = std::move(content);
    return parts;
  }
  Token first = min_token;
  for (std::size_t i = 0; i <= ends.size(); ++i) {
    const Token last = i < ends.size() ? ends[i] : max_token;
    Content part = restrict_to(space, content, first, last);
    if (!part.empty()) parts.push_back({.content = std::move(part)});
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

const std::vector<Token>& ends_on_whole_ring(std::int64_t shards) {
  thread_local std::map<std::int64_t, std::vector<Token>> known;  // every unified compaction asks
  const auto [place, added] = known.try_emplace(shards);
  std::vector<Token>& ends = place->second;
  if (!added) return ends;
  for (std::int64_t k = 1; k < shards; ++k)
    ends.push_back(token_at(1.0 / static_cast<double>(shards) * static_cast<double>(k)));
  return ends;
}

}  // namespace

std::vector<Token> shard_ends(const LocalRanges* local, std::int64_t shards) {
  if (local != nullptr) return local->shard_ends(shards);
  return shards > 1 ? ends_on_whole_ring(shards) : std::vector<Token>();
}

double spanned_share(const LocalRanges* local, Token first, Token last) {
  return local != nullptr ? local->spanned(first, last) : covered_share(first, last);
}

}  // namespace windrow
