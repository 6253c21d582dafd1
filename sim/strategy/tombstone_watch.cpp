#include "sim/strategy/tombstone_watch.h"

#include <algorithm>

namespace windrow {
namespace {

constexpr Seconds longest_interval_s = 1'000'000'000'000;  // beyond any simulated time, and its milliseconds fit

}  // namespace

TombstoneWatch::TombstoneWatch(const CommonCompactionOptions& options)
    : interval_ms_(std::min(options.tombstone_compaction_interval_s, longest_interval_s) * ms_per_s),
      threshold_(static_cast<double>(options.tombstone_threshold)) {}

void TombstoneWatch::add(const SSTableView& file) {
  young_.insert({.key = file.created_ms, .tie = file.id, .file = &file});
}

void TombstoneWatch::remove(const SSTableView& file) {
  if (young_.erase_if_there({.key = file.created_ms, .tie = file.id})) return;
  const auto crosses = crosses_at_s_.find(file.id);
  if (crosses == crosses_at_s_.end()) return;
  aged_.erase({.crosses_at_s = crosses->second, .id = file.id});
  crosses_at_s_.erase(crosses);
}

void TombstoneWatch::come_of_age(Millis now_ms) const {
  while (!young_.empty() && young_.front().key + interval_ms_ <= now_ms) {
    const FilePlace place = young_.front();
    young_.erase(place);
    latest_of_age_ms_ = std::max(latest_of_age_ms_, place.key + interval_ms_);
    const Seconds crosses_at_s = place.file->estimates->ratio_crosses_at(threshold_);
    if (crosses_at_s == no_deletion_time) continue;
    aged_.insert({.crosses_at_s = crosses_at_s, .id = place.tie, .file = place.file});
    crosses_at_s_.emplace(place.tie, crosses_at_s);
  }
}

TombstoneWatch::ByCrossing::Run TombstoneWatch::ripe(Millis now_ms, Seconds gc_before_s) const {
  come_of_age(now_ms);
  return {aged_.begin(), aged_.partition_point([&](const Aged& aged) { return aged.crosses_at_s <= gc_before_s; })};
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
  const auto next = aged_.partition_point([&](const Aged& a) { return a.crosses_at_s <= gc_before_s; });
  return next == aged_.end() ? no_deletion_time : next->crosses_at_s;
}

}  // namespace windrow
