#include "sim/strategy/unified.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "sim/strategy/expiry.h"

namespace windrow {
namespace {

/// Rule 9.9: how many overlapping files a late bucket takes; the whole bucket if the number reaches its overlap.
std::int64_t files_to_take(const UnifiedOptions& options, const UnifiedLevel& level, std::int64_t overlap) {
  const std::int64_t fanout = level.scaling.fanout;
  const std::int64_t unlimited = std::numeric_limits<std::int32_t>::max();
  const std::int64_t at_most =
      std::max(fanout, options.max_sstables_to_compact == 0 ? unlimited : options.max_sstables_to_compact);
  if (overlap <= fanout) return overlap;
  if (overlap <= fanout * scaling_of_level(options, level.index + 1).fanout || at_most == fanout) {
    return std::min(overlap, at_most);
  }
  const std::int64_t limit = std::min(at_most, overlap);
  std::int64_t count = fanout;
  for (std::size_t next = level.index + 1;; ++next) {
    const std::int64_t product = count * scaling_of_level(options, next).fanout;
    if (product > limit) break;
    count = product;
  }
  return level.scaling.parameter < 0 ? count * (limit / count) : count;
}

std::vector<std::int64_t> take_oldest(const UnifiedLevel& level, const UnifiedLevel::Bucket& bucket,
                                      std::int64_t limit) {
  std::vector<std::uint32_t> oldest_first;
  for (auto id = bucket.files.rbegin(); id != bucket.files.rend(); ++id) {
    const auto at = std::ranges::find(level.by_first_token, *id, &SSTableView::id);
    oldest_first.push_back(static_cast<std::uint32_t>(at - level.by_first_token.begin()));
  }
  std::vector<std::int64_t> taken;
  for (const std::uint32_t place :
       take_with_overlap_limit(oldest_first, bucket.sets, static_cast<std::size_t>(limit))) {
    taken.push_back(level.by_first_token[place]->id);
  }
  return taken;
}

void take_bucket(const UnifiedOptions& options, const UnifiedLevel& level, Pick& pick) {
  const auto bucket =
      std::ranges::find(level.buckets, static_cast<std::size_t>(level.overlap), &UnifiedLevel::Bucket::overlap);
  pick.kind = PickKind::normal;
  pick.rule = "9.8 level of the greatest overlap";
  const std::int64_t limit = files_to_take(options, level, level.overlap);
  pick.inputs = limit >= level.overlap ? bucket->files : take_oldest(level, *bucket, limit);
}

/// Rule 9.8; a level below its threshold can win and yields nothing.
void choose(const UnifiedOptions& options, std::span<const UnifiedOrder::Level> levels, Pick& pick) {
  const UnifiedOrder::Level* chosen = nullptr;
  for (const UnifiedOrder::Level& level : levels) {
    pick.estimated_remaining += level.tasks;
    if (level.overlap > (chosen == nullptr ? -1 : chosen->overlap)) chosen = &level;
  }
  if (chosen == nullptr || chosen->overlap < chosen->scaling.threshold) return;
  UnifiedLevel level{.index = static_cast<std::size_t>(chosen - levels.data()), .scaling = chosen->scaling};
  for (const UnifiedOrder::Member& member : chosen->members) level.by_first_token.push_back(member.file);
  complete_level(level, options);
  take_bucket(options, level, pick);
}

}  // namespace

Answer unified_task(const UnifiedOptions& options, const UnifiedState& state, const TableView& view) {
  UnifiedState next = state;
  std::vector<const SSTableView*> expired;
  if (expired_check_due(view.now_ms, state.last_expired_check_ms, options.expired_sstable_check_frequency_s)) {
    if (!view.own().never_purges(options.common)) {
      expired = expired_idle_files(view, options.unsafe_aggressive_sstable_expiration);
    }
    next.last_expired_check_ms = view.now_ms;
  }
  next.flush_size_bytes = unified_flush_size(options, state.flush_size_bytes, view.flush_average_bytes);
  Answer answer;
  if (expired.empty()) {
    choose(options, view.own().densities().levels(next.flush_size_bytes, view.local_coverage), answer.pick);
  } else {
    UnifiedOrder without_expired(options);
    for (const FilePlace& place : view.own().oldest_first()) {
      const bool left = !place.file->compacting && std::ranges::find(expired, place.file) == expired.end();
      if (left) without_expired.add(*place.file);
    }
    choose(options, without_expired.levels(next.flush_size_bytes, view.local_coverage), answer.pick);
  }
  if (answer.pick.kind == PickKind::none && !expired.empty()) {
    answer.pick.kind = PickKind::expired_only;
    answer.pick.rule = "9.10 expired files";
  }
  for (const SSTableView* file : expired) answer.pick.inputs.push_back(file->id);
  answer.state = next;
  return answer;
}

}  // namespace windrow
