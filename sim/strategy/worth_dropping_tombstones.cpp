#include "sim/strategy/worth_dropping_tombstones.h"

#include <algorithm>
#include <vector>

#include "sim/base/arithmetic.h"

namespace windrow {
namespace {

/// What the files that overlap one file do to it.
struct Neighbours {
  bool any = false;
  Micros blocking_us = no_timestamp;         // rule 4.3 step 1
  Seconds next_expiry_s = no_deletion_time;  // when the first of the blockers stops blocking
  std::vector<std::pair<Token, Token>> spans;
};

template <class Function>
void for_each_neighbour(const SSTableView& file, const LiveSet& live, Function use) {
  const auto [first, last] = file.estimates->token_span();
  live.each_meeting(first, last, [&](const SSTableView& other, Token other_first, Token other_last) {
    return &other == &file || use(other, other_first, other_last);
  });
}

Neighbours neighbours_of(const SSTableView& file, const TableView& view) {
  Neighbours neighbours;
  for_each_neighbour(file, *view.live, [&](const SSTableView& other, Token first, Token last) {
    neighbours.any = true;
    neighbours.spans.emplace_back(first, last);
    if (other.max_local_deletion_time_s < view.gc_before_s) return true;
    neighbours.blocking_us = std::min(neighbours.blocking_us, other.min_timestamp_us);
    if (other.max_local_deletion_time_s != no_deletion_time) {
      neighbours.next_expiry_s = std::min(neighbours.next_expiry_s, other.max_local_deletion_time_s + 1);
    }
    return true;
  });
  return neighbours;
}

/// (first, last] of every neighbour, joined as Range.normalize does. A neighbour of one token means the whole ring
/// (rule 5.7).
std::vector<TokenRange> overlapped_ranges(std::vector<std::pair<Token, Token>> spans) {
  std::vector<TokenRange> ranges;
  std::ranges::sort(spans);
  for (const auto& [first, last] : spans) {
    if (first == last) return {TokenRange{.left = min_token, .right = min_token}};
    if (!ranges.empty() && first <= ranges.back().right) {
      ranges.back().right = std::max(ranges.back().right, last);
    } else {
      ranges.push_back({.left = first, .right = last});
    }
  }
  return ranges;
}

/// Share of the file's cells outside the ranges (rule 5.7): "remaining" columns over all.
double remaining_share(const Estimates& estimates, std::span<const TokenRange> ranges) {
  const std::int64_t mean = estimates.cells_mean();
  const std::int64_t remaining = estimates.estimated_keys() - estimates.estimated_keys_for_ranges(ranges);
  return static_cast<double>(mean * remaining) / static_cast<double>(estimates.cells_count() * mean);
}

/// The gc_before at which `share` of the ratio exceeds the threshold, rather too early than too late.
Seconds share_crosses_at_s(const Estimates& estimates, double threshold, double share) {
  constexpr double rounding = 1e-9;
  if (!(share > 0)) return no_deletion_time;
  return estimates.ratio_crosses_at(threshold / share * (1 - rounding));
}

/// A neighbour of which `enough(other, its first token, its last)` holds: of several that of the highest level, which
/// is likely to stay longest. Null if there is none.
template <class Function>
const SSTableView* lasting_neighbour(const SSTableView& file, const LiveSet& live, const Function& enough) {
  const SSTableView* lasting = nullptr;
  for_each_neighbour(file, live, [&](const SSTableView& other, Token first, Token last) {
    if (enough(other, first, last) && (lasting == nullptr || other.level >= lasting->level)) lasting = &other;
    return lasting == nullptr || live.by_levels();
  });
  return lasting;
}

/// Most files that are not worth it are covered whole by one other file: then its range alone says so, and more ranges
/// only leave less.
const SSTableView* covering_neighbour(const SSTableView& file, const LiveSet& live) {
  const std::pair<Token, Token> span = file.estimates->token_span();
  return lasting_neighbour(file, live, [&](const SSTableView&, Token first, Token last) {
    return first < span.first && last >= span.second;
  });
}

/// One that keeps a fully expired file (rule 4.3 step 1); the memtable may do so too.
const SSTableView* blocking_neighbour(const SSTableView& file, const TableView& view) {
  return lasting_neighbour(file, *view.live, [&](const SSTableView& other, Token, Token) {
    return other.max_local_deletion_time_s >= view.gc_before_s && other.min_timestamp_us <= file.max_timestamp_us;
  });
}

}  // namespace

WorthDropping worth_dropping_tombstones(const CommonCompactionOptions& options, const SSTableView& file,
                                        const TableView& view) {
  const auto threshold = static_cast<double>(options.tombstone_threshold);
  const Estimates& estimates = *file.estimates;
  if (floor_div(view.now_ms - file.created_ms, ms_per_s) < options.tombstone_compaction_interval_s) {
    return {.rule = "5.2 younger than tombstone_compaction_interval",
            .next_gc_before_s = view.gc_before_s,
            .stands_until_removal = false};
  }
  const double ratio = estimates.droppable_tombstone_ratio(view.gc_before_s);
  if (ratio <= threshold) {
    return {.rule = "5.3 ratio below threshold", .next_gc_before_s = estimates.ratio_crosses_at(threshold)};
  }
  if (options.unchecked_tombstone_compaction) return {.worth = true, .rule = "5.4 unchecked"};

  const bool expired = file.max_local_deletion_time_s < view.gc_before_s;
  Seconds next_gc_before_s = no_deletion_time;
  if (!expired && file.max_local_deletion_time_s != no_deletion_time) {
    next_gc_before_s = file.max_local_deletion_time_s + 1;
  }
  const bool informative = estimates.estimation_informative();
  if (expired && !informative) {
    if (const SSTableView* blocking = blocking_neighbour(file, view)) {
      const Seconds expires_s = blocking->max_local_deletion_time_s;
      return {.rule = "5.6 key estimate not informative",
              .next_gc_before_s = expires_s == no_deletion_time ? no_deletion_time : expires_s + 1,
              .covered_by = blocking->id};
    }
  }
  if (!expired) {
    if (const SSTableView* covering = covering_neighbour(file, *view.live)) {
      if (!informative) {
        return {.rule = "5.6 key estimate not informative",
                .next_gc_before_s = next_gc_before_s,
                .covered_by = covering->id};
      }
      const auto [first, last] = covering->estimates->token_span();
      const TokenRange range{.left = first, .right = last};
      const double share = remaining_share(estimates, std::span(&range, 1));
      if (!(share * ratio > threshold)) {
        next_gc_before_s = std::min(next_gc_before_s, share_crosses_at_s(estimates, threshold, share));
        return {
            .rule = "5.7 covered by another file", .next_gc_before_s = next_gc_before_s, .covered_by = covering->id};
      }
    }
  }
  Neighbours neighbours = neighbours_of(file, view);
  if (!neighbours.any) return {.worth = true, .rule = "5.5 nothing overlaps"};
  const Micros blocking_us = std::min(neighbours.blocking_us, view.memtable_min_timestamp_us);
  if (expired && file.max_timestamp_us < blocking_us && !view.own().never_purges(options)) {
    return {.worth = true, .rule = "5.5 fully expired"};
  }
  if (expired) next_gc_before_s = neighbours.next_expiry_s;
  if (!informative) {
    return {.rule = "5.6 key estimate not informative",
            .next_gc_before_s = next_gc_before_s,
            .stands_until_removal = !expired};
  }
  const double share = remaining_share(estimates, overlapped_ranges(std::move(neighbours.spans)));
  if (share * ratio > threshold) return {.worth = true, .rule = "5.7 enough outside the overlap"};
  next_gc_before_s = std::min(next_gc_before_s, share_crosses_at_s(estimates, threshold, share));
  return {.rule = "5.7 too little outside the overlap",
          .next_gc_before_s = next_gc_before_s,
          .stands_until_removal = !expired};
}

bool known_fruitless(const TombstoneWatch::Aged& aged, const TableView& view) {
  if (view.gc_before_s < aged.seen_at_s || view.gc_before_s >= aged.not_before_s) return false;
  return aged.removals_seen == view.live->removals();
}

bool try_worth_dropping(const CommonCompactionOptions& options, const TombstoneWatch::Aged& aged,
                        const TableView& view) {
  if (aged.file->compacting || known_fruitless(aged, view)) return false;
  const WorthDropping result = worth_dropping_tombstones(options, *aged.file, view);
  if (result.worth) return true;
  aged.removals_seen = view.live->removals();
  aged.seen_at_s = view.gc_before_s;
  aged.not_before_s = result.stands_until_removal ? result.next_gc_before_s : view.gc_before_s;
  if (result.covered_by != 0 && aged.not_before_s > view.gc_before_s)
    view.own().watch()->put_to_sleep(aged, result.covered_by, aged.seen_at_s, aged.not_before_s);
  return false;
}

Millis next_worth_dropping_ms(const CommonCompactionOptions& options, const TableView& view) {
  const TombstoneWatch* watch = view.own().watch();
  if (watch == nullptr || watch->empty()) return no_deletion_time;
  const Seconds gc_grace_s = view.now_ms / ms_per_s - view.gc_before_s;
  Seconds next_gc_before_s = watch->next_crossing_s(view.gc_before_s);
  for (const TombstoneWatch::Aged& aged : watch->ripe(view.now_ms, view.gc_before_s)) {
    if (aged.file->compacting) continue;
    if (try_worth_dropping(options, aged, view)) return view.now_ms;
    const bool remembered = aged.not_before_s > view.gc_before_s;
    const Seconds next_s =
        remembered ? aged.not_before_s : worth_dropping_tombstones(options, *aged.file, view).next_gc_before_s;
    next_gc_before_s = std::min(next_gc_before_s, next_s);
  }
  next_gc_before_s = std::min(next_gc_before_s, watch->next_waking_s());
  const Millis crossing_ms =
      next_gc_before_s == no_deletion_time ? no_deletion_time : (next_gc_before_s + gc_grace_s) * ms_per_s;
  return std::min(watch->next_of_age_ms(view.now_ms), crossing_ms);
}

}  // namespace windrow
