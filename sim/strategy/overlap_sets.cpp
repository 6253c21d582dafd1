#include "sim/strategy/overlap_sets.h"

#include <algorithm>

#include "sim/stats/java_priority_queue.h"

namespace windrow {
namespace {

bool share_a_file(const OverlapSet& a, const OverlapSet& b) {
  auto at_a = a.begin();
  auto at_b = b.begin();
  while (at_a != a.end() && at_b != b.end()) {
    if (*at_a == *at_b) return true;
    if (*at_a < *at_b) {
      ++at_a;
    } else {
      ++at_b;
    }
  }
  return false;
}

void include(OverlapSet& included, const OverlapSet& set) {
  OverlapSet both;
  std::ranges::set_union(included, set, std::back_inserter(both));
  included = std::move(both);
}

}  // namespace

std::vector<OverlapSet> overlap_sets(std::span<const std::pair<Token, Token>> spans) {
  std::vector<OverlapSet> sets;
  OverlapSet active;
  Token earliest_end = max_token;
  for (std::uint32_t i = 0; i < spans.size(); ++i) {
    if (!active.empty() && spans[i].first > earliest_end) {
      sets.push_back(active);
      std::erase_if(active, [&](std::uint32_t other) { return spans[other].second < spans[i].first; });
      earliest_end = max_token;
      for (const std::uint32_t other : active) earliest_end = std::min(earliest_end, spans[other].second);
    }
    active.push_back(i);
    earliest_end = std::min(earliest_end, spans[i].second);
  }
  if (!active.empty()) sets.push_back(std::move(active));
  return sets;
}

std::vector<OverlapSet> overlap_sets_as_collected(std::span<const std::pair<Token, Token>> spans) {
  const auto ends_earlier = [&](std::uint32_t a, std::uint32_t b) { return spans[a].second < spans[b].second; };
  std::vector<OverlapSet> sets;
  JavaPriorityQueue<std::uint32_t, decltype(ends_earlier)> active(ends_earlier);
  for (std::uint32_t i = 0; i < spans.size(); ++i) {
    const auto starts_after = [&] { return !active.empty() && spans[i].first > spans[active.peek()].second; };
    if (starts_after()) sets.push_back(active.elements());
    while (starts_after()) active.poll();
    active.add(i);
  }
  if (!active.empty()) sets.push_back(active.elements());
  return sets;
}

std::vector<OverlapBucket> overlap_buckets(std::span<const OverlapSet> sets, std::size_t threshold,
                                           UnifiedOptions::Overlap inclusion) {
  using enum UnifiedOptions::Overlap;
  std::vector<OverlapBucket> buckets;
  std::size_t next = 0;
  std::size_t consumed = 0;
  while (next < sets.size()) {
    if (sets[next].size() < threshold) {
      ++next;
      continue;
    }
    OverlapBucket bucket{.begin = next, .end = next + 1};
    if (inclusion != none) {
      OverlapSet included = sets[next];
      while (bucket.begin > consumed && share_a_file(included, sets[bucket.begin - 1])) {
        --bucket.begin;
        if (inclusion == transitive) include(included, sets[bucket.begin]);
      }
      while (bucket.end < sets.size() && share_a_file(included, sets[bucket.end])) {
        if (inclusion == transitive) include(included, sets[bucket.end]);
        ++bucket.end;
      }
    }
    for (const OverlapSet& set : sets.subspan(bucket.begin, bucket.end - bucket.begin)) {
      bucket.overlap = std::max(bucket.overlap, set.size());
    }
    buckets.push_back(bucket);
    next = consumed = bucket.end;
  }
  return buckets;
}

std::vector<std::uint32_t> take_with_overlap_limit(std::span<const std::uint32_t> files,
                                                   std::span<const OverlapSet> sets, std::size_t limit) {
  std::vector<std::uint32_t> taken;
  std::vector<std::size_t> counts(sets.size(), 0);
  for (const std::uint32_t file : files) {
    for (std::size_t i = 0; i < sets.size(); ++i) {
      if (std::ranges::binary_search(sets[i], file) && ++counts[i] > limit) return taken;
    }
    taken.push_back(file);
  }
  return taken;
}

}  // namespace windrow
