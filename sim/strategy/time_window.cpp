#include <algorithm>
#include <map>
#include <vector>

#include "sim/stats/java_hash.h"
#include "sim/strategy/expiry.h"
#include "sim/strategy/size_tiered.h"
#include "sim/strategy/window_order.h"
#include "sim/strategy/worth_dropping_tombstones.h"

namespace windrow {
namespace {

using BySize = InOrder<FilePlace>;
using Files = std::vector<const SSTableView*>;

/// One call: the time windows without the files that this call drops as expired.
class TimeWindowCall {
 public:
  TimeWindowCall(const TimeWindowOptions& options, const TableView& view, const Files& expired)
      : options_(options), view_(view), order_(view.own().order<WindowOrder>()), expired_(expired) {
    for (const SSTableView* file : expired) ++expired_in_window_[order_.window_ms(*file)];
  }

  /// TimeWindowCompactionStrategy.newestBucket (rule 7.4); moves `highest_window_ms`.
  void pick_window(Millis& highest_window_ms, Pick& pick);
  /// TimeWindowCompactionStrategy.getNextNonExpiredSSTables, where no window qualifies (rule 7.8).
  void pick_tombstones(Pick& pick) const;

 private:
  bool is_expired(const SSTableView& file) const { return std::ranges::find(expired_, &file) != expired_.end(); }
  std::size_t expired_in(Millis window_ms) const {
    const auto at = expired_in_window_.find(window_ms);
    return at == expired_in_window_.end() ? 0 : at->second;
  }
  /// The window's files by size, ties in live-set order; `left` holds them if some are expired.
  BySize candidates(WindowOrder::Windows::const_iterator window, std::vector<FilePlace>& left) const;
  void pick_newest(BySize files, Pick& pick) const;
  void pick_past(BySize files, Pick& pick) const;
  /// Sorts some of the candidates into their own order: that of a hash set of all idle files (rule 7.3 step 4).
  void put_in_candidate_order(Files& files) const;
  /// The same files by size, ties in the order of the window's hash set (rule 7.4).
  std::vector<FilePlace> with_hash_ties(BySize files) const;

  const TimeWindowOptions& options_;
  const TableView& view_;
  const WindowOrder& order_;
  const Files& expired_;
  std::map<Millis, std::size_t> expired_in_window_;
};

BySize TimeWindowCall::candidates(WindowOrder::Windows::const_iterator window, std::vector<FilePlace>& left) const {
  if (expired_in(window->first) == 0) return window->second.places();
  left.clear();
  std::ranges::copy_if(window->second.places(), std::back_inserter(left),
                       [&](const FilePlace& place) { return !is_expired(*place.file); });
  return left;
}

void TimeWindowCall::put_in_candidate_order(Files& files) const {
  std::size_t idle = 0;
  for (const auto& [window_ms, of_window] : order_.windows()) idle += of_window.size();
  const int capacity = hash_capacity(idle);
  const auto place = [capacity](const SSTableView* file) {
    return std::pair(hash_place(file->hash, capacity), -file->live_rank);  // filled in live-set order
  };
  std::ranges::sort(files, {}, place);
}

std::vector<FilePlace> TimeWindowCall::with_hash_ties(BySize files) const {
  constexpr int multimap_capacity = 4;  // HashMultimap expects two values a key
  Files in_window(files.size());
  std::ranges::transform(files, in_window.begin(), &FilePlace::file);
  put_in_candidate_order(in_window);
  std::vector<FilePlace> ordered;
  for (const SSTableView* file : in_hash_order(in_window, hash_of, multimap_capacity)) {
    ordered.push_back({.key = file->data_bytes, .tie = std::ssize(ordered), .file = file});
  }
  std::ranges::stable_sort(ordered, {}, &FilePlace::key);
  return ordered;
}

void TimeWindowCall::pick_newest(BySize files, Pick& pick) const {
  SizeTier tier = most_interesting_tier(files, options_.size_tiered);
  std::vector<FilePlace> ordered;
  if (tier.ties_matter) {
    ordered = with_hash_ties(files);
    files = ordered;
    tier = most_interesting_tier(files, options_.size_tiered);
  }
  if (tier.begin == tier.end) return;
  pick.kind = PickKind::normal;
  pick.rule = "7.4 size tiers of the newest window";
  pick.inputs = ids_of(files, tier.begin, tier.end);
}

void TimeWindowCall::pick_past(BySize files, Pick& pick) const {
  const auto count = std::min(files.size(), static_cast<std::size_t>(options_.size_tiered.common.max_threshold));
  std::vector<FilePlace> ordered;
  if (count < files.size() && files[count - 1].key == files[count].key) {
    ordered = with_hash_ties(files);
    files = ordered;
  }
  pick.kind = PickKind::normal;
  pick.rule = "7.4 past window";
  pick.inputs = ids_of(files, 0, count);
}

void TimeWindowCall::pick_window(Millis& highest_window_ms, Pick& pick) {
  const WindowOrder::Windows& windows = order_.windows();
  const auto newest = std::ranges::find_if(
      windows, [&](const auto& window) { return window.second.size() > expired_in(window.first); });
  if (newest == windows.end()) return;
  highest_window_ms = std::max(highest_window_ms, newest->first);

  std::vector<FilePlace> left;
  pick.estimated_remaining = order_.all_past_window_tasks();
  for (const auto& [window_ms, count] : expired_in_window_) {
    const std::size_t files = windows.at(window_ms).size();
    pick.estimated_remaining += order_.past_window_tasks(files - count) - order_.past_window_tasks(files);
  }
  for (const WindowOrder::Windows::const_iterator window : order_.crowded()) {
    const BySize files = candidates(window, left);
    if (files.size() < 2) continue;
    if (window->first < highest_window_ms) {
      pick_past(files, pick);
      break;
    }
    if (files.size() >= static_cast<std::size_t>(options_.size_tiered.common.min_threshold)) pick_newest(files, pick);
    if (pick.kind != PickKind::none) break;
    pick.estimated_remaining -= order_.past_window_tasks(files.size());
  }
}

void TimeWindowCall::pick_tombstones(Pick& pick) const {
  const SSTableView* smallest = nullptr;
  Files tied;
  for_each_worth_dropping(options_.size_tiered.common, view_, [&](const SSTableView& file) {
    if (is_expired(file)) return true;
    if (smallest != nullptr && file.data_bytes > smallest->data_bytes) return true;
    if (smallest == nullptr || file.data_bytes < smallest->data_bytes) tied.clear();
    smallest = &file;
    tied.push_back(&file);
    return true;
  });
  if (smallest == nullptr) return;
  if (tied.size() > 1) {
    put_in_candidate_order(tied);
    smallest = tied.front();
  }
  pick.kind = PickKind::tombstone;
  pick.rule = "7.8 smallest file worth dropping tombstones";
  pick.inputs.push_back(smallest->id);
}

class TimeWindow final : public Strategy {
 public:
  explicit TimeWindow(const TimeWindowOptions& options)
      : Strategy(options.size_tiered.common),
        options_(options),
        windows_(options),
        check_(common(), options.expired_sstable_check_frequency_s, options.unsafe_aggressive_sstable_expiration) {}

  std::unique_ptr<StrategyOrder> new_order() const override { return std::make_unique<WindowOrder>(options_); }
  bool looks_for_expired() const override { return true; }
  bool compacts_for_tombstones() const override { return options_.tombstone_compactions; }
  bool ignores_overlaps() const override { return check_.ignores_overlaps(); }
  std::optional<Millis> window_ms(Micros max_timestamp_us) const override {
    return windows_.start_ms(max_timestamp_us);
  }
  std::optional<Seconds> window_length_s() const override { return windows_.length_s(); }
  /// One task, all windows together.
  Pick major_task() const override { return {.kind = PickKind::normal, .rule = "7.10 major compaction"}; }

  StrategyState new_state(Millis, const Holder*) const override { return TimeWindowState{}; }
  Answer next_task(const StrategyState& state, const TableView& view) const override;
  Millis next_interesting(const StrategyState& state, const TableView& view) const override {
    return std::min(check_.next_ms(view, std::get<TimeWindowState>(state).last_expired_check_ms),
                    Strategy::next_interesting(state, view));
  }
  bool has_timers() const override { return true; }
  StrategyState after_fruitless_asks(const StrategyState& state, const FruitlessAsks& asks) const override {
    TimeWindowState next = std::get<TimeWindowState>(state);
    if (asks.has_files) check_.skip(asks, next.last_expired_check_ms);  // else nobody even looks (rule 7.3)
    return next;
  }

 private:
  TimeWindowOptions options_;
  TimeWindows windows_;
  ExpiredCheck check_;
};

// TimeWindowCompactionStrategy.getNextBackgroundTask, Cassandra 5.0.9 (rules 7.3 and 7.6).
Answer TimeWindow::next_task(const StrategyState& state, const TableView& view) const {
  if (view.live->size() == 0) return {.state = state};
  Answer answer;
  TimeWindowState next = std::get<TimeWindowState>(state);
  const Files expired = check_.expired(view, next.last_expired_check_ms);
  TimeWindowCall call(options_, view, expired);
  call.pick_window(next.highest_window_ms, answer.pick);
  if (answer.pick.kind == PickKind::none && options_.tombstone_compactions) call.pick_tombstones(answer.pick);
  if (answer.pick.kind == PickKind::none && !expired.empty()) {
    answer.pick.kind = PickKind::expired_only;
    answer.pick.rule = "7.6 expired files";
  }
  for (const SSTableView* file : expired) answer.pick.inputs.push_back(file->id);
  answer.state = next;
  return answer;
}

}  // namespace

StrategyPtr new_strategy(const TimeWindowOptions& options) { return std::make_shared<const TimeWindow>(options); }

}  // namespace windrow
