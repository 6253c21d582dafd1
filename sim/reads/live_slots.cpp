#include "sim/reads/live_slots.h"

#include <algorithm>
#include <utility>

#include "sim/base/arithmetic.h"

namespace windrow {

namespace {

using Interval = std::pair<std::int64_t, std::int64_t>;

std::vector<Interval> without(const std::vector<Interval>& all, const Interval& hole) {
  std::vector<Interval> left;
  for (const auto& [from, to] : all) {
    const Interval before{from, std::min(to, hole.first)};
    const Interval after{std::max(from, hole.second), to};
    if (hole.first >= hole.second) {
      left.emplace_back(from, to);
      continue;
    }
    for (const Interval& each : {before, after}) {
      if (each.first < each.second) left.push_back(each);
    }
  }
  return left;
}

/// Members [0, to) that are sent.
std::vector<Interval> sent_before(const SubStream& sub, std::int64_t to) {
  std::vector<Interval> sent = {{0, to}};
  for (const Interval& never : sub.unsent()) sent = without(sent, never);
  return sent;
}

bool writes_something_live(const Writer& writer) {
  return writer.insert || std::ranges::any_of(writer.columns, [](const ColumnWrite& column) {
           return !column.null && (!column.elements || column.elements->count > 0);
         });
}

}  // namespace

LiveSlots::LiveSlots(const TableWorkload& workload, const Writer& writer, std::int64_t bucket, const LiveTime& time)
    : rows_each_(writer.rows_per_event) {
  if (!writes_something_live(writer)) return;
  const std::int64_t now = ceil_div(time.now_us, writer.unit_us);
  const auto rows_before_ms = [&](std::int64_t ms) {
    return writer.rhythm.count_before(ceil_div(ms * 1000, writer.unit_us));
  };
  for (int s = 0; s < std::ssize(workload.sub_streams()); ++s) {
    const SubStream& sub = workload.sub_streams()[static_cast<std::size_t>(s)];
    if (&sub.writer() != &writer || sub.brings() != Brings::rows) continue;
    std::int64_t from = sub.count_before_bucket(bucket);
    std::int64_t to = std::min(sub.count_before_bucket(bucket + 1), sub.count_arrived_before(now));
    if (time.from_ms != std::numeric_limits<std::int64_t>::min())
      from = std::max(from, sub.rank(rows_before_ms(time.from_ms)));
    if (time.to_ms != std::numeric_limits<std::int64_t>::max()) to = std::min(to, sub.rank(rows_before_ms(time.to_ms)));
    if (const Seconds ttl_s = sub.ttl_s(time.default_ttl_s); ttl_s > 0)
      from = std::max(from, sub.count_arrived_before_s(time.now_us / us_per_s - ttl_s + 1));
    if (from >= to) continue;
    std::vector<Interval> alive = {{from, to}};
    for (const Interval& never : sub.unsent()) alive = without(alive, never);
    for (int t = 0; t < std::ssize(workload.sub_streams()); ++t) {
      const SubStream& deletes = workload.sub_streams()[static_cast<std::size_t>(t)];
      if (deletes.brings() != Brings::row_tombstones || workload.target_of(t) != s) continue;
      for (const Interval& deleted : sent_before(deletes, deletes.count_arrived_before(now)))
        alive = without(alive, deleted);
    }
    for (const auto& [first, last] : alive) add(sub, bucket, first, last);
  }
  std::ranges::sort(borders_);
  borders_.erase(std::unique(borders_.begin(), borders_.end()), borders_.end());
}

void LiveSlots::add(const SubStream& sub, std::int64_t bucket, std::int64_t from, std::int64_t to) {
  const SubStream::Turn turn = sub.turn(bucket);
  if (sub.in_turn()) {
    stretches_.push_back({.turn = turn, .from = from, .to = to});
    borders_.push_back(turn.slot(from));
    borders_.push_back(turn.slot(to));
    return;
  }
  // Held row by row: a share's members are of the slots that their rows have.
  listed_.resize(static_cast<std::size_t>(turn.slots()), 0);
  for (std::int64_t j = from; j < to; ++j) ++listed_[static_cast<std::size_t>(turn.slot(j))];
  for (std::int64_t slot = 0; slot < turn.slots(); ++slot) borders_.push_back(slot);
}

Rows LiveSlots::of(std::int64_t slot) const {
  std::int64_t events = listed_.empty() ? 0 : listed_[static_cast<std::size_t>(slot)];
  for (const Stretch& stretch : stretches_) events += SlotLane(stretch.turn, stretch.from, slot).before(stretch.to);
  return events * rows_each_;
}

}  // namespace windrow
