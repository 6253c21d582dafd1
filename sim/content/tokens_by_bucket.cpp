#include "sim/content/tokens_by_bucket.h"

namespace windrow {

namespace {

struct Held {
  int sub_stream = 0;
  std::int64_t first_bucket = 0;
  std::int64_t last_bucket = 0;
  TokensByBucket::Interval tokens{};
};

/// Of one sub-stream, by first token: those that hold the bucket, joined.
std::vector<TokensByBucket::Interval> joined(std::span<const Held> all, std::int64_t bucket) {
  std::vector<TokensByBucket::Interval> tokens;
  for (const Held& held : all) {
    if (bucket < held.first_bucket || bucket > held.last_bucket) continue;
    const auto [first, last] = held.tokens;
    const bool apart = tokens.empty() || (tokens.back().second != max_token && tokens.back().second + 1 < first);
    if (apart) {
      tokens.emplace_back(first, last);
    } else {
      tokens.back().second = std::max(tokens.back().second, last);
    }
  }
  return tokens;
}

}  // namespace

TokensByBucket::TokensByBucket(const ContentSpace& space, std::span<const Cohort> cohorts) {
  std::vector<Held> all;
  all.reserve(cohorts.size());
  for (const Cohort& cohort : cohorts) {
    const auto [first, last] = space.buckets(cohort);
    all.push_back({cohort.sub_stream, first, last, {cohort.first_token, cohort.last_token}});
  }
  std::ranges::stable_sort(all, {}, [](const Held& held) { return std::pair(held.sub_stream, held.tokens.first); });
  for (auto begin = all.begin(); begin != all.end();) {
    const auto end = std::ranges::find_if(begin, all.end(),
                                          [begin](const Held& held) { return held.sub_stream != begin->sub_stream; });
    const std::span<const Held> here(begin, end);
    std::vector<std::int64_t> changes;  // buckets from which on others are held
    for (const Held& held : here) changes.insert(changes.end(), {held.first_bucket, held.last_bucket + 1});
    std::ranges::sort(changes);
    changes.erase(std::unique(changes.begin(), changes.end()), changes.end());
    const std::size_t first_run = runs_.size();
    for (std::size_t i = 0; i + 1 < changes.size(); ++i) {
      const std::vector<Interval> held = joined(here, changes[i]);
      if (held.empty()) continue;
      runs_.push_back({changes[i], changes[i + 1] - 1, intervals_.size(), held.size()});
      intervals_.insert(intervals_.end(), held.begin(), held.end());
    }
    groups_.push_back({begin->sub_stream, first_run, runs_.size() - first_run});
    begin = end;
  }
}

}  // namespace windrow
