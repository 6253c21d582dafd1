#include "sim/strategy/overlap.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "sim/strategy/strategy.h"

namespace windrow {

TokenIntervals::TokenIntervals(std::vector<std::pair<Token, Token>> spans) {
  std::ranges::sort(spans);
  for (const auto& [first, last] : spans) {
    if (!intervals_.empty() && first <= intervals_.back().second) {
      intervals_.back().second = std::max(intervals_.back().second, last);
    } else {
      intervals_.emplace_back(first, last);
    }
  }
}

bool TokenIntervals::meets(Token first, Token last) const {
  const auto at =
      std::ranges::partition_point(intervals_, [&](const auto& interval) { return interval.second < first; });
  return at != intervals_.end() && at->first <= last;
}

bool TokenIntervals::meets(const SSTableView& file) const {
  const auto [first, last] = file.estimates->token_span();
  return meets(first, last);
}

bool overlap(const SSTableView& a, const SSTableView& b) {
  const auto [a_first, a_last] = a.estimates->token_span();
  const auto [b_first, b_last] = b.estimates->token_span();
  return a_first <= b_last && b_first <= a_last;
}

std::vector<const SSTableView*> files_meeting(const LiveSet& live, const TokenIntervals& intervals, Micros newest_us) {
  if (intervals.each().empty()) return {};
  std::vector<std::pair<std::int64_t, const SSTableView*>> ranked;
  // One look at all between the ends: where files have no levels, each look goes through every one of them.
  constexpr Seconds whatever_has_expired_s = std::numeric_limits<Seconds>::min();
  live.each_meeting_that_may_block(intervals.each().front().first, intervals.each().back().second,
                                   whatever_has_expired_s, newest_us,
                                   [&](const SSTableView& file, Token first, Token last) {
                                     if (file.min_timestamp_us <= newest_us && intervals.meets(first, last))
                                       ranked.emplace_back(-file.live_rank, &file);
                                   });
  std::ranges::sort(ranked);
  std::vector<const SSTableView*> files;
  files.reserve(ranked.size());
  for (const auto& [rank, file] : ranked) files.push_back(file);
  return files;
}

// ColumnFamilyStore.getOverlappingLiveSSTables, Cassandra 5.0.9. Keys of equal token count as equal.
std::vector<std::int64_t> overlapping(const LiveSet& live, std::span<const std::int64_t> ids,
                                      std::span<const std::int64_t> without, Micros newest_us) {
  std::vector<std::pair<Token, Token>> spans;
  for (const std::int64_t id : ids) spans.push_back(live.at(id).estimates->token_span());
  const TokenIntervals intervals(std::move(spans));
  std::vector<std::int64_t> own(without.begin(), without.end());
  std::ranges::sort(own);
  std::vector<std::int64_t> others;
  for (const SSTableView* file : files_meeting(live, intervals, newest_us)) {
    if (!std::ranges::binary_search(own, file->id)) others.push_back(file->id);
  }
  return others;
}

}  // namespace windrow
