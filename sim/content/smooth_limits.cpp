#include "sim/content/smooth_limits.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace windrow {

namespace {

/// Whether sub-streams have members of a bucket.
class MembersOfBucket {
 public:
  MembersOfBucket(const ContentSpace& space, std::int64_t bucket) : space_(space), bucket_(bucket) {}

  bool any(int sub_stream) {
    if (sub_stream == asked_) return any_;
    const auto known = std::ranges::find(known_, sub_stream, &std::pair<int, bool>::first);
    if (known == known_.end()) {
      const auto [from, to] = space_.members_in(rows_from(sub_stream, 0), bucket_);
      known_.emplace_back(sub_stream, from < to);
      any_ = from < to;
    } else {
      any_ = known->second;
    }
    asked_ = sub_stream;
    return any_;
  }

 private:
  const ContentSpace& space_;
  std::int64_t bucket_ = 0;
  std::vector<std::pair<int, bool>> known_{};
  int asked_ = -1;
  bool any_ = false;
};

}  // namespace

SmoothLimits::SmoothLimits(const ContentSpace& space, const std::vector<OverlapSource>& sources,
                           std::pair<Token, Token> tokens)
    : space_(space), sources_(sources), tokens_(tokens) {}

const TokensByBucket& SmoothLimits::held_by(const OverlapSource& source) const {
  std::shared_ptr<const TokensByBucket>& known = source.kept_tokens != nullptr ? *source.kept_tokens : source.tokens;
  if (!known) known = std::make_shared<const TokensByBucket>(space_, source.content->cohorts);
  return *known;
}

std::vector<SmoothLimits::Piece> SmoothLimits::earliest(std::span<const Held> all) const {
  std::vector<Token> begins{tokens_.first};
  begins.reserve(2 * all.size() + 1);
  for (const Held& each : all) {
    begins.push_back(each.first_token);
    if (each.last_token < tokens_.second) begins.push_back(each.last_token + 1);
  }
  std::ranges::sort(begins);
  begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
  std::vector<Micros> since(begins.size(), no_timestamp);
  std::vector<std::size_t> open(begins.size() + 1);  // from here on the first interval that nobody has yet, or nearer
  std::iota(open.begin(), open.end(), 0U);
  const auto open_from = [&open](std::size_t i) {
    while (open[i] != i) i = open[i] = open[open[i]];
    return i;
  };
  for (const Held& each : all) {
    const auto first = static_cast<std::size_t>(std::ranges::lower_bound(begins, each.first_token) - begins.begin());
    for (std::size_t i = open_from(first); i < begins.size() && begins[i] <= each.last_token; i = open_from(i)) {
      since[i] = each.since_us;
      open[i] = i + 1;
    }
  }
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < begins.size(); ++i) {
    if (pieces.empty() || pieces.back().earliest_us != since[i]) pieces.push_back({begins[i], since[i]});
  }
  return pieces;
}

std::vector<SmoothLimits::Piece> SmoothLimits::look(const Writer& writer, std::int64_t bucket) const {
  std::vector<Held> all;  // by time
  bool covered = false;   // what comes later is nowhere the earliest
  MembersOfBucket members(space_, bucket);
  const auto add = [&](Token first, Token last, const OverlapSource& source) {
    first = std::max(first, tokens_.first);
    last = std::min(last, tokens_.second);
    if (first <= last) all.push_back({first, last, source.min_timestamp_us});
    covered = covered || std::pair(first, last) == tokens_;
  };
  for (const OverlapSource& source : sources_) {
    if (covered) break;
    if (source.last_token < tokens_.first || source.first_token > tokens_.second) continue;
    if (source.any_key) {
      add(source.first_token, source.last_token, source);
      continue;
    }
    held_by(source).each_of(bucket, [&](int sub_stream, std::span<const TokensByBucket::Interval> held) {
      if (&space_.sub_stream(sub_stream).writer() != &writer || !members.any(sub_stream)) return;
      for (const auto& [first, last] : held) add(first, last, source);
    });
  }
  return earliest(all);
}

const std::vector<SmoothLimits::Piece>& SmoothLimits::pieces(const Writer& writer, std::int64_t bucket) {
  const auto [known, is_new] = by_bucket_.try_emplace({writer.index, bucket});
  if (is_new) known->second = look(writer, bucket);
  return known->second;
}

/// Whether no partition of the bucket lies in the limit's tokens, as between neighbours in a run: what cannot be told
/// apart is not cut, else it would be cut for ever, and each part of it again.
bool SmoothLimits::parts_nothing(const Cohort& cohort, std::int64_t bucket, const PurgeLimit& limit) const {
  Cohort all = rows_from(cohort.sub_stream, 0);
  std::tie(all.from, all.to) = space_.members_in(all, bucket);
  all.first_token = limit.first_token;
  all.last_token = limit.last_token;
  return !space_.any(all);
}

std::vector<PurgeLimit> SmoothLimits::of(const Cohort& cohort, std::int64_t bucket, Micros newest_us) {
  const std::vector<Piece>& all = pieces(space_.writer_of(cohort), bucket);
  std::vector<PurgeLimit> limits;
  const auto after = std::ranges::upper_bound(all, cohort.first_token, {}, &Piece::first_token);
  for (auto piece = after - 1; piece != all.end() && piece->first_token <= cohort.last_token; ++piece) {
    const Micros below_us = piece->earliest_us > newest_us ? no_timestamp : piece->earliest_us;
    if (!limits.empty()) limits.back().last_token = piece->first_token - 1;
    if (limits.empty() || limits.back().below_us != below_us)
      limits.push_back({.below_us = below_us, .first_token = std::max(piece->first_token, cohort.first_token)});
    limits.back().last_token = cohort.last_token;
  }
  if (limits.size() == 1) return limits;
  std::vector<PurgeLimit> told{limits.front()};
  bool nothing_yet = parts_nothing(cohort, bucket, limits.front());
  for (std::size_t i = 1; i < limits.size(); ++i) {
    const bool alike = told.back().below_us == limits[i].below_us;
    const bool nothing = (nothing_yet || !alike) && parts_nothing(cohort, bucket, limits[i]);
    if (nothing_yet && !nothing) told.back().below_us = limits[i].below_us;
    if (alike || nothing || nothing_yet) {
      told.back().last_token = limits[i].last_token;
    } else {
      told.push_back(limits[i]);
    }
    nothing_yet = nothing_yet && nothing;
  }
  return told;
}

}  // namespace windrow
