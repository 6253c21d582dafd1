#include "sim/strategy/expiry.h"

#include <algorithm>
#include <optional>

#include "sim/base/arithmetic.h"
#include "sim/strategy/overlap.h"

namespace windrow {
namespace {

TokenIntervals intervals_of_idle_files(const Holder& holder) {
  std::vector<std::pair<Token, Token>> spans;
  for (const FilePlace& place : holder.oldest_first()) {
    if (!place.file->compacting) spans.push_back(place.file->estimates->token_span());
  }
  return TokenIntervals(std::move(spans));
}

/// Smallest minimum timestamp that blocks (rule 4.3, steps 1 to 3), where all idle files of the instance are tested
/// together. Of each instance only the first blocker counts: files come by ascending minimum timestamp.
Micros blocking_timestamp_us(const TableView& view) {
  std::optional<TokenIntervals> idle;
  Micros blocking_us = view.memtable_min_timestamp_us;
  for (const auto& holder : view.live->holders()) {
    const bool own = holder.get() == &view.own();
    for (const FilePlace& place : holder->expiry().by_min_timestamp) {
      if (place.key >= blocking_us) break;
      const SSTableView& file = *place.file;
      if (file.max_local_deletion_time_s < view.gc_before_s) continue;
      if (!own || file.compacting) {
        if (!idle) idle = intervals_of_idle_files(view.own());
        if (!idle->meets(file)) continue;
      }
      blocking_us = place.key;
      break;
    }
  }
  return blocking_us;
}

std::vector<const SSTableView*> expired_idle_files(const TableView& view, bool ignore_overlaps) {
  std::vector<const SSTableView*> expired;
  const FilePlaces& order = view.own().expiry().by_max_local_deletion_time;
  if (order.empty() || order.front().key >= view.gc_before_s) return expired;
  const Micros blocking_us = ignore_overlaps ? no_timestamp : blocking_timestamp_us(view);
  for (const FilePlace& place : order) {
    if (place.key >= view.gc_before_s) break;
    if (ignore_overlaps || place.file->max_timestamp_us < blocking_us) expired.push_back(place.file);
  }
  return expired;
}

}  // namespace

std::vector<const SSTableView*> ExpiredCheck::expired(const TableView& view, Millis& last_ms) const {
  if (view.now_ms - last_ms <= frequency_s_ * ms_per_s) return {};
  last_ms = view.now_ms;
  if (view.own().never_purges(common_)) return {};
  return expired_idle_files(view, ignores_overlaps_);
}

Millis ExpiredCheck::next_ms(const TableView& view, Millis last_ms) const {
  const FilePlaces& order = view.own().expiry().by_max_local_deletion_time;
  if (order.empty() || view.own().never_purges(common_)) return no_deletion_time;
  const Millis due_ms = last_ms + frequency_s_ * ms_per_s + 1;
  if (order.front().key < view.gc_before_s) {
    // What is droppable now waits for the next check. What is blocked waits for another file's expiry, which may be
    // that of a compacting file or of another instance's: these are in no order by deletion time.
    const bool all_blocked = expired_idle_files(view, ignores_overlaps_).empty();
    const bool others_expire = view.live->compacting_count() > 0 || view.own().size() < view.live->size();
    if (!all_blocked || others_expire) return due_ms;
  }
  const auto next = order.partition_point([&](const FilePlace& place) { return place.key < view.gc_before_s; });
  if (next == order.end()) return no_deletion_time;
  const Seconds gc_grace_s = view.now_ms / ms_per_s - view.gc_before_s;
  return std::max(due_ms, (next->key + gc_grace_s + 1) * ms_per_s);
}

void ExpiredCheck::skip(const FruitlessAsks& asks, Millis& last_ms) const {
  for (;;) {
    // The first second that is later than the last check by more than the frequency, and the first ask from there on.
    const Seconds due_s = floor_div(last_ms, ms_per_s) + frequency_s_ + 1;
    const std::int64_t ask = std::max<std::int64_t>(0, ceil_div(due_s * us_per_s - asks.first_us, asks.period_us));
    if (ask >= asks.count) return;
    last_ms = (asks.first_us + ask * asks.period_us) / us_per_s * ms_per_s;
  }
}

namespace {

TokenIntervals intervals_of(const LiveSet& live, std::span<const std::int64_t> ids) {
  std::vector<std::pair<Token, Token>> spans;
  for (const std::int64_t id : ids) spans.push_back(live.at(id).estimates->token_span());
  return TokenIntervals(std::move(spans));
}

}  // namespace

/// Smallest minimum timestamp that blocks (rule 4.3) where only `ids` are tested; one above `newest_us`, the newest
/// write that may be blocked, may be missed.
Micros FullyExpired::blocking_timestamp_us(std::span<const std::int64_t> ids, Micros newest_us) {
  if (!live_.unrepaired().has_expiry()) return blocking_in_levels(ids, newest_us);
  Micros blocking_us = memtable_min_timestamp_us_;
  std::optional<TokenIntervals> intervals;  // the files themselves meet it, too
  for (const auto& holder : live_.holders()) {
    const FilePlaces& order = holder->expiry().by_min_timestamp;
    const auto may_block = order.lower_bound({.key = blocked_from_us_, .tie = INT64_MIN});
    for (const FilePlace& place : FilePlaces::Run{may_block, order.end()}) {
      if (place.key >= blocking_us || place.key > newest_us) break;
      if (place.file->max_local_deletion_time_s < gc_before_s_) continue;
      if (!intervals) intervals = intervals_of(live_, ids);
      if (!intervals->meets(*place.file)) continue;
      blocking_us = place.key;
      break;
    }
  }
  blocked_from_us_ = blocking_us;
  return blocking_us;
}

Micros FullyExpired::blocking_in_levels(std::span<const std::int64_t> ids, Micros newest_us) {
  Micros blocking_us = memtable_min_timestamp_us_;
  const TokenIntervals intervals = intervals_of(live_, ids);
  const auto look = [&](Micros min_timestamp_us, Token first, Token last) {
    if (min_timestamp_us < blocking_us && intervals.meets(first, last)) blocking_us = min_timestamp_us;
  };
  if (may_block_) {
    for (const auto& [min_timestamp_us, first, last] : *may_block_) look(min_timestamp_us, first, last);
    return blocking_us;
  }
  if (asked_) may_block_.emplace();
  asked_ = true;
  live_.each_meeting_that_may_block(intervals.each().front().first, intervals.each().back().second, gc_before_s_,
                                    newest_us, [&](const SSTableView& file, Token first, Token last) {
                                      if (file.max_local_deletion_time_s < gc_before_s_) return;
                                      look(file.min_timestamp_us, first, last);
                                      if (may_block_ && file.min_timestamp_us <= newest_us)
                                        may_block_->push_back({file.min_timestamp_us, first, last});
                                    });
  return blocking_us;
}

// CompactionController.getFullyExpiredSSTables, Cassandra 5.0.9.
std::vector<std::int64_t> FullyExpired::among(std::span<const std::int64_t> compacting) {
  std::vector<std::int64_t> expired;
  Micros newest_us = INT64_MIN;
  for (const std::int64_t id : compacting) {
    const SSTableView& file = live_.at(id);
    if (file.max_local_deletion_time_s >= gc_before_s_) continue;
    expired.push_back(id);
    newest_us = std::max(newest_us, file.max_timestamp_us);
  }
  if (ignore_overlaps_ || expired.empty()) return expired;
  const Micros blocking_us = blocking_timestamp_us(compacting, newest_us);
  std::erase_if(expired, [&](std::int64_t id) { return live_.at(id).max_timestamp_us >= blocking_us; });
  return expired;
}

}  // namespace windrow
