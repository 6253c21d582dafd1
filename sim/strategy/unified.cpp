#include "sim/strategy/unified.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "sim/strategy/bucket_order.h"
#include "sim/strategy/expiry.h"

namespace windrow {
namespace {

/// UnifiedCompactionStrategy.Bucket.constructPick (rule 9.9): how many overlapping files a late bucket takes; the whole
/// bucket if the number reaches its overlap.
std::int64_t files_to_take(const UnifiedOptions& options, std::size_t index, const UnifiedOrder::Level& level) {
  const std::int64_t overlap = level.overlap;
  const std::int64_t fanout = level.scaling.fanout;
  const std::int64_t unlimited = std::numeric_limits<std::int32_t>::max();
  const std::int64_t at_most =
      std::max(fanout, options.max_sstables_to_compact == 0 ? unlimited : options.max_sstables_to_compact);
  if (overlap <= fanout) return overlap;
  if (overlap <= fanout * scaling_of_level(options, index + 1).fanout || at_most == fanout) {
    return std::min(overlap, at_most);
  }
  const std::int64_t limit = std::min(at_most, overlap);
  std::int64_t count = fanout;
  for (std::size_t next = index + 1;; ++next) {
    const std::int64_t product = count * scaling_of_level(options, next).fanout;
    if (product > limit) break;
    count = product;
  }
  return level.scaling.parameter < 0 ? count * (limit / count) : count;
}

void take_bucket(const UnifiedOptions& options, std::size_t index, const UnifiedOrder::Level& level, Pick& pick) {
  const auto bucket =
      std::ranges::find(level.buckets, static_cast<std::size_t>(level.overlap), &OverlapBucket::overlap);
  std::vector<const SSTableView*> files;
  files.reserve(level.members.size());
  for (const UnifiedOrder::Member& member : level.members.look_at_all()) files.push_back(member.file);
  const std::vector<std::pair<Token, Token>> spans = spans_of(level);
  std::vector<std::uint32_t> places = BucketOrder(files, spans).newest_first(level.sets, *bucket);
  if (const std::int64_t limit = files_to_take(options, index, level); limit < level.overlap) {
    std::ranges::reverse(places);
    const std::span sets = std::span(level.sets).subspan(bucket->begin, bucket->end - bucket->begin);
    places = take_with_overlap_limit(places, sets, static_cast<std::size_t>(limit));
  }
  pick.kind = PickKind::normal;
  pick.rule = "9.8 level of the greatest overlap";
  for (const std::uint32_t place : places) pick.inputs.push_back(files[place]->id);
}

/// UnifiedCompactionStrategy.chooseCompactionPick (rule 9.8); a level below its threshold can win and yields nothing.
void choose(const UnifiedOptions& options, std::span<const UnifiedOrder::Level> levels, Pick& pick) {
  const UnifiedOrder::Level* chosen = nullptr;
  for (const UnifiedOrder::Level& level : levels) {
    pick.estimated_remaining += level.tasks;
    if (level.overlap > (chosen == nullptr ? -1 : chosen->overlap)) chosen = &level;
  }
  if (chosen == nullptr || chosen->overlap < chosen->scaling.threshold) return;
  take_bucket(options, static_cast<std::size_t>(chosen - levels.data()), *chosen, pick);
}

/// UnifiedCompactionStrategy.getNextBackgroundTask, Cassandra 5.0.9 (rule 9). Where the engine draws lots among buckets
/// of equal overlap, the first in token order is taken.
class Unified final : public Strategy {
 public:
  explicit Unified(const UnifiedOptions& options)
      : Strategy(options.common),
        options_(options),
        check_(common(), options.expired_sstable_check_frequency_s, options.unsafe_aggressive_sstable_expiration) {}

  std::unique_ptr<StrategyOrder> new_order() const override { return std::make_unique<UnifiedOrder>(options_); }
  bool looks_for_expired() const override { return true; }
  OutputCut output_cut() const override { return OutputCut::by_shards; }
  std::int64_t shards(double density_bytes) const override { return shard_count(options_, density_bytes); }

  StrategyState new_state(Millis now_ms, const Holder*) const override {
    return UnifiedState{.last_expired_check_ms = now_ms};
  }
  Answer next_task(const StrategyState& state, const TableView& view) const override;
  Millis next_interesting(const StrategyState& state, const TableView& view) const override {
    return check_.next_ms(view, std::get<UnifiedState>(state).last_expired_check_ms);
  }
  bool has_timers() const override { return true; }
  StrategyState after_fruitless_asks(const StrategyState& state, const FruitlessAsks& asks) const override {
    UnifiedState next = std::get<UnifiedState>(state);
    check_.skip(asks, next.last_expired_check_ms);
    return next;
  }
  std::vector<Pick> major_tasks(const TableView& view) const override;

 private:
  UnifiedOptions options_;
  ExpiredCheck check_;
};

// With UnifiedCompactionStrategy.maybeGetExpiredSSTables (rule 9.10).
Answer Unified::next_task(const StrategyState& state, const TableView& view) const {
  UnifiedState next = std::get<UnifiedState>(state);
  const std::vector<const SSTableView*> expired = check_.expired(view, next.last_expired_check_ms);
  next.flush_size_bytes = unified_flush_size(options_, next.flush_size_bytes, view.flush_average_bytes);
  Answer answer;
  if (expired.empty()) {
    const auto& order = view.own().order<UnifiedOrder>();
    choose(options_, order.levels(next.flush_size_bytes, view.local_coverage), answer.pick);
  } else {
    UnifiedOrder without_expired(options_);
    for (const FilePlace& place : view.own().oldest_first()) {
      const bool left = !place.file->compacting && std::ranges::find(expired, place.file) == expired.end();
      if (left) without_expired.add(*place.file);
    }
    choose(options_, without_expired.levels(next.flush_size_bytes, view.local_coverage), answer.pick);
  }
  if (answer.pick.kind == PickKind::none && !expired.empty()) {
    answer.pick.kind = PickKind::expired_only;
    answer.pick.rule = "9.10 expired files";
  }
  for (const SSTableView* file : expired) answer.pick.inputs.push_back(file->id);
  answer.state = next;
  return answer;
}

// getMaximalTasks (rule 9.14): a task for each group of files that overlap, also through others.
std::vector<Pick> Unified::major_tasks(const TableView& view) const {
  struct PlacedFile {
    Token first = 0;
    Token last = 0;
    std::int64_t id = 0;
  };
  std::vector<PlacedFile> places;
  for (const FilePlace& place : view.own().oldest_first().descending()) {
    const auto [first, last] = place.file->estimates->token_span();
    places.push_back({first, last, place.file->id});
  }
  std::ranges::stable_sort(places, {}, &PlacedFile::first);
  std::vector<Pick> tasks;
  Token reached = 0;
  for (const PlacedFile& place : places) {
    if (tasks.empty() || place.first > reached) {
      tasks.push_back({.kind = PickKind::normal, .rule = "9.14 major compaction"});
      reached = place.last;
    }
    tasks.back().inputs.push_back(place.id);
    reached = std::max(reached, place.last);
  }
  return tasks;
}

}  // namespace

StrategyPtr new_strategy(const UnifiedOptions& options) { return std::make_shared<const Unified>(options); }

}  // namespace windrow
