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

/// Smooth content along the ring: the bytes of each cohort lie as its rows do.
class SmoothBytes {
 public:
  SmoothBytes(const ContentSpace& space, const Content& content) : space_(space), cohorts_(content.cohorts) {
    const FileExtremes all = measure_by_intervals(space, content).extremes;
    total_ = static_cast<double>(all.uncompressed_bytes);
    partition_ = total_ / static_cast<double>(all.partitions);
    const RowFormat format = space.format(content.bases);
    double weights = 0;
    for (const Cohort& cohort : cohorts_) {
      const std::int64_t middle = cohort.from + (cohort.to - cohort.from) / 2;
      const Rows rows = space.rows(cohort);
      const double row = typical_row_bytes(space, cohort, format, middle);
      parts_.push_back({cohort.first_token, cohort.last_token, static_cast<double>(rows) * row, row});
      weights += parts_.back().bytes;
    }
    for (Part& part : parts_) {
      part.bytes *= total_ / weights;
      part.row *= total_ / weights;
    }
  }

  double total() const { return total_; }
  double partition() const { return partition_; }

  /// About where each `share` of the bytes ends, if bytes lie evenly along the tokens of each cohort.
  std::vector<Token> even_ends(double share, std::size_t count) const {
    std::vector<Token> ends;
    double written = 0;
    sweep_tokens(std::span<const Part>(parts_), [&](Token first, Token last, std::span<const std::size_t> inside) {
      double per_token = 0;
      for (const std::size_t place : inside) per_token += parts_[place].per_token();
      const double width = tokens_in(first, last);
      double at = 0;  // tokens after the first
      while (ends.size() < count && written + (width - at) * per_token > share) {
        at += (share - written) / per_token;
        const std::uint64_t tokens = std::min(static_cast<std::uint64_t>(at), tokens_between(first, last));
        ends.push_back(static_cast<Token>(static_cast<std::uint64_t>(first) + tokens));
        written = 0;
      }
      written += (width - at) * per_token;
    });
    return ends;
  }

  /// Nearer to where the first `bytes` end, by the rows that are there.
  Token corrected(Token end, double bytes) const {
    double missing = bytes;
    double per_token = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const Part& part = parts_[i];
      if (part.first_token > end) continue;
      if (part.last_token <= end) {
        missing -= part.bytes;
        continue;
      }
      Cohort before = cohorts_[i];
      before.last_token = end;
      missing -= static_cast<double>(space_.rows(before)) * part.row;
      per_token += part.per_token();
    }
    if (per_token == 0 || std::abs(missing) < partition_ / 2) return end;
    const double least = static_cast<double>(min_token) / 2;
    const double step = std::clamp(missing / per_token, least, -least);
    const auto tokens = static_cast<Token>(step);
    if (tokens > 0) return end < max_token - tokens ? end + tokens : max_token - 1;
    return end > min_token - tokens ? end + tokens : min_token;
  }

 private:
  struct Part {
    Token first_token = 0;
    Token last_token = 0;
    double bytes = 0;
    double row = 0;
    double per_token() const { return bytes / tokens_in(first_token, last_token); }
  };
  const ContentSpace& space_;
  const std::vector<Cohort>& cohorts_;
  std::vector<Part> parts_{};
  double total_ = 0;
  double partition_ = 0;
};

/// Where smooth content is cut: an output ends with the partition that makes it longer than the limit. What is left within
/// two partitions or a hundredth of the limit is known too vaguely to be an output of its own: a file that was cut
/// before has the limit's size only so nearly, and is not cut again.
std::vector<Token> smooth_ends(const ContentSpace& space, const Content& content, double limit_bytes) {
  const SmoothBytes bytes(space, content);
  const double most = limit_bytes + bytes.partition() / 2;
  const double vague = std::max(2 * bytes.partition(), limit_bytes / 100);
  const double outputs = std::ceil((bytes.total() - vague) / most);
  if (outputs <= 1) return {};
  std::vector<Token> ends = bytes.even_ends(most, static_cast<std::size_t>(outputs) - 1);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    constexpr int corrections = 2;
    for (int k = 0; k < corrections; ++k) ends[i] = bytes.corrected(ends[i], static_cast<double>(i + 1) * most);
  }
  std::ranges::sort(ends);
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  if (!ends.empty() && ends.back() == max_token) ends.pop_back();
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
