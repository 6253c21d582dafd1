#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <tuple>
#include <vector>

#include "sim/base/check.h"
#include "sim/stats/java_hash.h"
#include "sim/strategy/leveled_level0.h"
#include "sim/strategy/strategy.h"
#include "sim/strategy/worth_dropping_tombstones.h"

namespace windrow {
namespace {

using Place = LevelOrder::Place;
using Places = std::vector<Place>;

constexpr double overfull_score = 1.001;
constexpr int starved_after = 25;            // rounds without a compaction (rule 8.8)
constexpr std::size_t level0_too_many = 32;  // rule 8.4 step 1

std::size_t index_of(int level) { return static_cast<std::size_t>(level); }

Bytes data_bytes(const Places& files) {
  return std::transform_reduce(files.begin(), files.end(), Bytes{0}, std::plus<>{},
                               [](const Place& place) { return place.file->data_bytes; });
}

/// LeveledManifest.getNextLevel (rule 8.7).
int next_level(const Places& files, Bytes sstable_bytes) {
  const auto [low, high] = std::ranges::minmax(files, {}, [](const Place& place) { return place.file->level; });
  const int lowest = low.file->level;
  const int highest = high.file->level;
  if (highest == 0 && data_bytes(files) < sstable_bytes) return 0;
  return lowest == highest ? highest + 1 : highest;
}

/// LeveledManifest.getCandidatesFor above level 0 (rule 8.6): the next file in turn of a level with what it meets in
/// the level above, none of it compacting.
Places candidates_of_level(int level, const LeveledState& state, const LevelOrder& order) {
  const LevelOrder::Files& files = order.level(level);
  auto at = files.begin();
  if (state.last_compacted[index_of(level)] != 0) {
    const Token last = state.last_compacted_last_token[index_of(level)];
    const auto after = files.partition_point([&](const Place& place) { return place.first <= last; });
    if (after != files.end()) at = after;
  }
  for (std::size_t left = files.size(); left > 0; --left) {
    const Place place = *at;
    if (++at == files.end()) at = files.begin();
    if (place.file->compacting) continue;
    const auto met = order.meeting(level + 1, place.first, place.last);
    if (std::ranges::any_of(met, [](const Place& other) { return other.file->compacting; })) continue;
    Places candidates{place};
    candidates.insert(candidates.end(), met.begin(), met.end());
    return candidates;
  }
  return {};
}

/// LeveledManifest.getOverlappingStarvedSSTables (rule 8.8): counts rounds, and adds one file of a level that has not
/// compacted for long.
void add_starved(Places& candidates, int target, const LevelOrder& order, std::array<int, 9>& counters) {
  for (std::size_t level = 1; level < counters.size(); ++level) ++counters[level];
  counters[index_of(target)] = 0;
  const int highest = order.highest_level();
  if (highest < 1 || counters[index_of(highest)] <= starved_after) return;
  const Token first = std::ranges::min(candidates, {}, &Place::first).first;
  const Token last = std::ranges::max(candidates, {}, &Place::last).last;
  if (first == last) return;
  for (const Place& place : order.level(highest)) {
    const bool inside = first <= place.first && place.last <= last && place.first != place.last;
    if (!inside || place.file->compacting) continue;
    if (std::ranges::find(candidates, place.file, &Place::file) == candidates.end()) candidates.push_back(place);
    return;
  }
}

void remember_compacted(LeveledState& state, int level, const SSTableView& file) {
  state.last_compacted[index_of(level)] = file.id;
  state.last_compacted_last_token[index_of(level)] = file.estimates->token_span().second;
}

/// LeveledManifest.getEstimatedTasks (rule 8.12).
std::int64_t estimated_tasks(const LeveledOptions& options, const LevelOrder& order) {
  const auto sstable_bytes = static_cast<double>(MiB(options.sstable_size_in_mb));
  std::int64_t tasks = 0;
  for (int level = 0; level <= order.highest_level(); ++level) {
    const auto allowed = static_cast<Bytes>(order.max_bytes(level) * overfull_score);
    const Bytes beyond = std::max<Bytes>(0, order.data_bytes(level) - allowed);
    tasks += static_cast<std::int64_t>(std::ceil(static_cast<double>(beyond) / sstable_bytes));
  }
  const std::int64_t level0 = std::ssize(order.level(0));
  const std::int64_t max_threshold = options.size_tiered.common.max_threshold;
  return level0 > max_threshold ? tasks + level0 / max_threshold : tasks;
}

/// LeveledManifest.getCompactionCandidates and LeveledCompactionStrategy.findDroppableSSTable, Cassandra 5.0.9 (rule
/// 8).
class LeveledCall {
 public:
  LeveledCall(const LeveledOptions& options, const LeveledState& state, const TableView& view)
      : options_(options),
        view_(view),
        order_(view.own().order<LevelOrder>()),
        sstable_bytes_(MiB(options.sstable_size_in_mb)) {
    answer_.state = state;
  }

  Answer answer() {
    const std::vector<std::int64_t> tiered = size_tiered_level0();
    if (!take_overfull_level(tiered) && !take_level0() && !take_tiered(tiered)) take_tombstones();
    answer_.pick.estimated_remaining = estimated_tasks(options_, order_);
    return std::move(answer_);
  }

 private:
  LeveledState& next() { return std::get<LeveledState>(answer_.state); }

  std::vector<std::int64_t> size_tiered_level0() {
    if (order_.level(0).size() <= level0_too_many) return {};
    return size_tiered_in_level0(order_.level0_by_size(), options_.size_tiered);
  }
  bool take_overfull_level(const std::vector<std::int64_t>& tiered);
  bool take_level0();
  bool take_tiered(const std::vector<std::int64_t>& tiered);
  void take_tombstones();
  void take(const Places& candidates, int target, const char* rule);

  const LeveledOptions& options_;
  const TableView& view_;
  const LevelOrder& order_;
  Bytes sstable_bytes_;
  Answer answer_;
};

void LeveledCall::take(const Places& candidates, int target, const char* rule) {
  Pick& pick = answer_.pick;
  const bool lone = options_.single_sstable_uplevel && candidates.size() == 1;
  pick.kind = lone ? PickKind::level_change : PickKind::normal;
  pick.rule = rule;
  for (const Place& place : candidates) pick.inputs.push_back(place.file->id);
  pick.level = target;
  pick.output_limit_bytes = sstable_bytes_;
}

bool LeveledCall::take_overfull_level(const std::vector<std::int64_t>& tiered) {
  for (int level = order_.highest_level(); level >= 1; --level) {
    if (order_.level(level).empty()) continue;
    const double score = static_cast<double>(order_.idle_data_bytes(level)) / order_.max_bytes(level);
    if (!(score > overfull_score) || level == LevelOrder::level_count - 1) continue;
    if (take_tiered(tiered)) return true;
    Places candidates = candidates_of_level(level, next(), order_);
    if (candidates.empty()) continue;
    const int target = next_level(candidates, sstable_bytes_);
    add_starved(candidates, target, order_, next().counters);
    take(candidates, target, "8.4 highest over-full level");
    return true;
  }
  return false;
}

bool LeveledCall::take_level0() {
  const Places candidates = level0_candidates(order_, options_.size_tiered.common.max_threshold, sstable_bytes_);
  if (candidates.empty()) return false;
  take(candidates, next_level(candidates, sstable_bytes_), "8.5 level 0");
  return true;
}

bool LeveledCall::take_tiered(const std::vector<std::int64_t>& tiered) {
  if (tiered.empty()) return false;
  answer_.pick.kind = PickKind::normal;
  answer_.pick.rule = "8.4 size tiers of level 0";
  answer_.pick.inputs = tiered;
  return true;
}

void LeveledCall::take_tombstones() {
  struct Candidate {
    const TombstoneWatch::Aged* aged = nullptr;
    double ratio = 0;
    std::int64_t place = 0;  // in the order of its level
  };
  std::vector<Candidate> candidates;
  const int capacity = order_.level0_capacity();
  for (const TombstoneWatch::Aged& aged : view_.own().watch()->ripe(view_.now_ms, view_.gc_before_s)) {
    const SSTableView& file = *aged.file;
    if (file.compacting || known_fruitless(aged, view_)) continue;
    candidates.push_back(
        {.aged = &aged,
         .ratio = file.estimates->droppable_tombstone_ratio(view_.gc_before_s),
         .place = file.level == 0 ? hash_place(file.hash, capacity) : file.estimates->token_span().first});
  }
  std::ranges::sort(candidates, [](const Candidate& a, const Candidate& b) {
    return std::tuple(b.aged->file->level, b.ratio, a.place, a.aged->file->id) <
           std::tuple(a.aged->file->level, a.ratio, b.place, b.aged->file->id);
  });
  for (const Candidate& candidate : candidates) {
    if (!try_worth_dropping(options_.size_tiered.common, *candidate.aged, view_)) continue;
    Pick& pick = answer_.pick;
    pick.kind = PickKind::tombstone;
    pick.rule = "8.10 highest droppable ratio of the highest level";
    pick.inputs.push_back(candidate.aged->file->id);
    pick.level = candidate.aged->file->level;
    pick.output_limit_bytes = sstable_bytes_;
    return;
  }
}

class Leveled final : public Strategy {
 public:
  explicit Leveled(const LeveledOptions& options) : Strategy(options.size_tiered.common), options_(options) {}

  std::unique_ptr<StrategyOrder> new_order() const override { return std::make_unique<LevelOrder>(options_); }
  bool compacts_for_tombstones() const override { return true; }
  OutputCut output_cut() const override { return OutputCut::by_size; }
  bool has_levels() const override { return true; }
  double most_bytes_of_level(int level) const override {
    if (level + 1 >= LevelOrder::level_count) return Strategy::most_bytes_of_level(level);
    return max_bytes_for_level(options_, level);
  }
  ScopeReduction scope_reduction() const override { return ScopeReduction::level0; }
  PickStands pick_stands() const override { return PickStands::not_at_all; }  // calls are counted (rule 8.8)
  /// Fills level after level from 1 (MajorLeveledCompactionWriter, rule 8.13).
  Pick major_task() const override {
    return {.kind = PickKind::normal,
            .level = 1,
            .output_limit_bytes = MiB(options_.sstable_size_in_mb),
            .fills_levels = true,
            .rule = "8.13 major compaction"};
  }

  StrategyState new_state(Millis now_ms, const Holder* holder) const override;
  Answer next_task(const StrategyState& state, const TableView& view) const override {
    return LeveledCall(options_, std::get<LeveledState>(state), view).answer();
  }
  StrategyState after_commit(const StrategyState& state, std::span<const SSTableView> removed,
                             std::span<const SSTableView> outputs) const override;
  /// LeveledManifest.newLevel: the file that went up is the last one compacted of the level that it left.
  StrategyState after_level_change(const StrategyState& state, const SSTableView& before) const override {
    LeveledState next = std::get<LeveledState>(state);
    remember_compacted(next, before.level, before);
    return next;
  }
  std::int64_t estimated_remaining(std::int64_t, const Holder& holder) const override {
    return estimated_tasks(options_, holder.order<LevelOrder>());
  }

 private:
  LeveledOptions options_;
};

// Rule 8.9 (LeveledManifest.calculateLastCompactedKeys): for each level the youngest file of the level above it.
StrategyState Leveled::new_state(Millis, const Holder* holder) const {
  LeveledState state;
  if (holder == nullptr) return state;
  const LevelOrder& order = holder->order<LevelOrder>();
  for (int level = 0; level + 1 < LevelOrder::level_count; ++level) {
    const Place* youngest = nullptr;
    for (const Place& place : order.level(level + 1)) {
      if (youngest == nullptr || place.file->created_ms >= youngest->file->created_ms) youngest = &place;
    }
    if (youngest == nullptr) continue;
    state.last_compacted[index_of(level)] = youngest->file->id;
    state.last_compacted_last_token[index_of(level)] = youngest->last;
  }
  return state;
}

// Rule 8.9 after a commit.
StrategyState Leveled::after_commit(const StrategyState& state, std::span<const SSTableView> removed,
                                    std::span<const SSTableView> outputs) const {
  if (outputs.empty()) return state;
  SIM_CHECK(!removed.empty(), "a compaction has inputs");
  LeveledState next = std::get<LeveledState>(state);
  const int lowest = std::ranges::min(removed, {}, &SSTableView::level).level;
  const SSTableView* greatest = &outputs.front();
  for (const SSTableView& output : outputs) {
    const auto key = [](const SSTableView& file) { return std::pair(file.estimates->token_span().first, file.id); };
    if (key(output) > key(*greatest)) greatest = &output;
  }
  remember_compacted(next, lowest, *greatest);
  return next;
}

}  // namespace

StrategyPtr new_strategy(const LeveledOptions& options) { return std::make_shared<const Leveled>(options); }

}  // namespace windrow
