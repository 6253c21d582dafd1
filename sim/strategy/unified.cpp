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

/// Rule 9.8; a level below its threshold can win and yields nothing.
void choose(const UnifiedOptions& options, std::span<const UnifiedLevel> levels, Pick& pick) {
  const UnifiedLevel* chosen = nullptr;
  for (const UnifiedLevel& level : levels) {
    for (const UnifiedLevel::Bucket& bucket : level.buckets) {
      pick.estimated_remaining += static_cast<std::int64_t>(bucket.overlap) / level.scaling.threshold;
    }
    if (level.overlap > (chosen == nullptr ? -1 : chosen->overlap)) chosen = &level;
  }
  if (chosen == nullptr || chosen->buckets.empty()) return;
  const auto bucket =
      std::ranges::find(chosen->buckets, static_cast<std::size_t>(chosen->overlap), &UnifiedLevel::Bucket::overlap);
  pick.kind = PickKind::normal;
  pick.rule = "9.8 level of the greatest overlap";
  const std::int64_t limit = files_to_take(options, *chosen, chosen->overlap);
  pick.inputs = limit >= chosen->overlap ? bucket->files : take_oldest(*chosen, *bucket, limit);
}

}  // namespace

Answer unified_task(const UnifiedOptions& options, const UnifiedState& state, const TableView& view) {
  UnifiedState next = state;
  std::vector<const SSTableView*> expired;
  if (expired_check_due(view.now_ms, state.last_expired_check_ms, options.expired_sstable_check_frequency_s)) {
    if (!options.common.only_purge_repaired_tombstones) {
      expired = expired_idle_files(view, options.unsafe_aggressive_sstable_expiration);
    }
    next.last_expired_check_ms = view.now_ms;
  }
  next.flush_size_bytes = unified_flush_size(options, state.flush_size_bytes, view.flush_average_bytes);
  std::vector<const SSTableView*> suitable;
  suitable.reserve(view.live->size());
  for (const FileOrder::Place& place : view.live->oldest_first().descending()) {
    if (place.file->compacting || std::ranges::find(expired, place.file) != expired.end()) continue;
    suitable.push_back(place.file);
  }
  Answer answer;
  choose(options, unified_levels(options, suitable, next.flush_size_bytes, view.local_coverage), answer.pick);
  if (answer.pick.kind == PickKind::none && !expired.empty()) {
    answer.pick.kind = PickKind::expired_only;
    answer.pick.rule = "9.10 expired files";
  }
  for (const SSTableView* file : expired) answer.pick.inputs.push_back(file->id);
  answer.state = next;
  return answer;
}

}  // namespace windrow
