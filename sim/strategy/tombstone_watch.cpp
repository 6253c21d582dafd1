#include "sim/strategy/tombstone_watch.h"

#include <algorithm>

namespace windrow {
namespace {

constexpr Seconds longest_interval_s = 1'000'000'000'000;  // beyond any simulated time, and its milliseconds fit

/// Nothing of it ever is: no look finds it ripe.
bool never_droppable(const SSTableView& file) {
  return file.estimates != nullptr && file.estimates->droppable_from_s() == no_deletion_time;
}

}  // namespace

TombstoneWatch::TombstoneWatch(const CommonCompactionOptions& options)
    : interval_ms_(std::min(options.tombstone_compaction_interval_s, longest_interval_s) * ms_per_s),
      threshold_(static_cast<double>(options.tombstone_threshold)) {}

void TombstoneWatch::add(const SSTableView& file) {
  if (never_droppable(file)) return;
  young_.insert({.key = file.created_ms, .tie = file.id, .file = &file});
}

void TombstoneWatch::remove(const SSTableView& file) {
  if (never_droppable(file)) return;
  if (young_.erase_if_there({.key = file.created_ms, .tie = file.id})) return;
  const auto found = known_.find(file.id);
  if (found == known_.end()) return;
  const Known& known = found->second;
  switch (known.place) {
    case Known::Place::waiting:
      waiting_.erase({.key = known.crosses_at_s, .tie = file.id});
      break;
    case Known::Place::aged:
      aged_.erase({.crosses_at_s = known.crosses_at_s, .id = file.id});
      break;
    case Known::Place::asleep:
      asleep_.erase({.key = known.sleep.not_before_s, .tie = file.id});
      break;
  }
  known_.erase(found);
}

void TombstoneWatch::left(std::int64_t id) {
  if (dozing_.empty() && sleepers_.empty()) return;
  std::erase_if(dozing_, [id](const Sleep& sleep) { return sleep.covered_by == id; });
  const auto found = sleepers_.find(id);
  if (found == sleepers_.end()) return;
  for (const std::int64_t sleeper : found->second) {
    const auto known = known_.find(sleeper);
    if (known == known_.end() || known->second.place != Known::Place::asleep) continue;
    if (known->second.sleep.covered_by == id) wake(sleeper);
  }
  sleepers_.erase(found);
}

void TombstoneWatch::fall_asleep() const {
  for (const Sleep& sleep : dozing_) {
    const auto found = known_.find(sleep.id);
    if (found == known_.end() || found->second.place != Known::Place::aged) continue;
    Known& known = found->second;
    aged_.erase({.crosses_at_s = known.crosses_at_s, .id = sleep.id});
    asleep_.insert({.key = sleep.not_before_s, .tie = sleep.id, .file = known.file});
    known.place = Known::Place::asleep;
    known.sleep = sleep;
    sleepers_[sleep.covered_by].push_back(sleep.id);
    last_slept_s_ = std::max(last_slept_s_, sleep.seen_at_s);
  }
  dozing_.clear();
}

void TombstoneWatch::wake(std::int64_t id) const {
  Known& known = known_.at(id);
  asleep_.erase({.key = known.sleep.not_before_s, .tie = id});
  aged_.insert({.crosses_at_s = known.crosses_at_s, .id = id, .file = known.file});
  known.place = Known::Place::aged;
}

void TombstoneWatch::wake_by(Seconds gc_before_s) const {
  // What was seen holds from then on: a longer gc_grace_seconds brings times before it back.
  const bool all = gc_before_s < last_slept_s_;
  while (!asleep_.empty() && (all || asleep_.front().key <= gc_before_s)) wake(asleep_.front().tie);
  if (all) last_slept_s_ = INT64_MIN;
}

void TombstoneWatch::enter(const SSTableView& file, Seconds crosses_at_s) const {
  if (crosses_at_s == no_deletion_time) return;
  aged_.insert({.crosses_at_s = crosses_at_s, .id = file.id, .file = &file});
  known_[file.id] = {.place = Known::Place::aged, .crosses_at_s = crosses_at_s, .file = &file};
}

void TombstoneWatch::come_of_age(Millis now_ms) const {
  while (!young_.empty() && young_.front().key + interval_ms_ <= now_ms) {
    const FilePlace place = young_.front();
    young_.erase(place);
    latest_of_age_ms_ = std::max(latest_of_age_ms_, place.key + interval_ms_);
    const SSTableView& file = *place.file;
    wait(file, file.estimates->droppable_from_s());
  }
}

void TombstoneWatch::wait(const SSTableView& file, Seconds earliest_s) const {
  waiting_.insert({.key = earliest_s, .tie = file.id, .file = &file});
  known_[file.id] = {.place = Known::Place::waiting, .crosses_at_s = earliest_s, .file = &file};
}

void TombstoneWatch::settle(Seconds gc_before_s) const {
  while (!waiting_.empty() && waiting_.front().key <= gc_before_s) {
    const FilePlace place = waiting_.front();
    waiting_.erase(place);
    const Seconds below_until_s = place.file->estimates->ratio_stays_below_until(threshold_);
    if (below_until_s >= gc_before_s && below_until_s != no_deletion_time) {
      wait(*place.file, below_until_s + 1);
      continue;
    }
    known_.erase(place.tie);
    if (below_until_s == no_deletion_time) continue;
    enter(*place.file, place.file->estimates->ratio_crosses_at(threshold_));
  }
}

TombstoneWatch::ByCrossing::Run TombstoneWatch::ripe(Millis now_ms, Seconds gc_before_s) const {
  come_of_age(now_ms);
  settle(gc_before_s);
  fall_asleep();
  wake_by(gc_before_s);
  return {aged_.begin(), aged_.partition_point([&](const Aged& aged) { return aged.crosses_at_s <= gc_before_s; })};
}

Millis TombstoneWatch::next_of_age_ms(Millis now_ms) const {
  come_of_age(now_ms);
  Millis next_ms = young_.empty() ? no_deletion_time : young_.front().key + interval_ms_;
  if (latest_of_age_ms_ <= now_ms) return next_ms;
  const auto see = [&](const SSTableView& file) {  // only when asked about an earlier time than before
    const Millis of_age_ms = file.created_ms + interval_ms_;
    if (of_age_ms > now_ms) next_ms = std::min(next_ms, of_age_ms);
  };
  for (const Aged& aged : aged_) see(*aged.file);
  for (const FilePlace& place : waiting_) see(*place.file);
  for (const FilePlace& place : asleep_) see(*place.file);
  return next_ms;
}

Seconds TombstoneWatch::next_crossing_s(Seconds gc_before_s) const {
  settle(gc_before_s);
  wake_by(gc_before_s);
  const auto next = aged_.partition_point([&](const Aged& a) { return a.crosses_at_s <= gc_before_s; });
  const Seconds settled_s = next == aged_.end() ? no_deletion_time : next->crosses_at_s;
  return waiting_.empty() ? settled_s : std::min(settled_s, waiting_.front().key);
}

}  // namespace windrow
