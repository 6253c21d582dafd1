#include "sim/strategy/tombstone_watch.h"

#include <algorithm>

namespace windrow {
namespace {

constexpr Seconds longest_interval_s = 1'000'000'000'000;  // beyond any simulated time, and its milliseconds fit

bool crosses_before(const TombstoneWatch::Aged& a, const TombstoneWatch::Aged& b) {
  return a.crosses_at_s != b.crosses_at_s ? a.crosses_at_s < b.crosses_at_s : a.file->id < b.file->id;
}

}  // namespace

TombstoneWatch::TombstoneWatch(const CommonCompactionOptions& options)
    : interval_ms_(std::min(options.tombstone_compaction_interval_s, longest_interval_s) * ms_per_s),
      threshold_(static_cast<double>(options.tombstone_threshold)) {}

void TombstoneWatch::add(const SSTableView& file) { young_.insert(file.created_ms, file.id, file); }

void TombstoneWatch::remove(const SSTableView& file) {
  if (young_.erase_if_there(file.created_ms, file.id)) return;
  const auto at = std::ranges::find(aged_, &file, &Aged::file);
  if (at != aged_.end()) aged_.erase(at);
}

void TombstoneWatch::come_of_age(Millis now_ms) const {
  std::size_t count = 0;
  for (const FileOrder::Place& place : young_) {
    if (place.key + interval_ms_ > now_ms) break;
    ++count;
    latest_of_age_ms_ = std::max(latest_of_age_ms_, place.key + interval_ms_);
    const Seconds crosses_at_s = place.file->estimates->ratio_crosses_at(threshold_);
    if (crosses_at_s == no_deletion_time) continue;
    const Aged aged{.crosses_at_s = crosses_at_s, .file = place.file};
    aged_.insert(std::ranges::upper_bound(aged_, aged, crosses_before), aged);
  }
  if (count > 0) young_.erase_first(count);
}

std::span<TombstoneWatch::Aged> TombstoneWatch::ripe(Millis now_ms, Seconds gc_before_s) const {
  come_of_age(now_ms);
  std::size_t count = 0;
  while (count < aged_.size() && aged_[count].crosses_at_s <= gc_before_s) ++count;
  return std::span(aged_).first(count);
}

Millis TombstoneWatch::next_of_age_ms(Millis now_ms) const {
  come_of_age(now_ms);
  Millis next_ms = young_.empty() ? no_deletion_time : young_.front().key + interval_ms_;
  if (latest_of_age_ms_ <= now_ms) return next_ms;
  for (const Aged& aged : aged_) {  // only when asked about an earlier time than before
    const Millis of_age_ms = aged.file->created_ms + interval_ms_;
    if (of_age_ms > now_ms) next_ms = std::min(next_ms, of_age_ms);
  }
  return next_ms;
}

Seconds TombstoneWatch::next_crossing_s(Seconds gc_before_s) const {
  const auto next = std::ranges::partition_point(aged_, [&](const Aged& a) { return a.crosses_at_s <= gc_before_s; });
  return next == aged_.end() ? no_deletion_time : next->crosses_at_s;
}

}  // namespace windrow
