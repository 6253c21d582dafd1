#include "sim/content/drop_minutes.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "sim/base/arithmetic.h"
#include "sim/content/measure.h"
#include "sim/content/points_by_minute.h"
#include "sim/content/row_shape.h"

namespace windrow {

namespace {

/// Calls `each(cohort, seconds from write to drop, points a row)` for what may be dropped one day.
template <typename Each>
void each_dropping(const ContentSpace& space, const Content& content, const Each& each) {
  for (const Cohort& cohort : content.cohorts) {
    const bool tombstone = cohort.state == RowState::row_tombstone;
    const std::int64_t liveness = !tombstone && space.sub_stream(cohort.sub_stream).writer().insert ? 1 : 0;
    const RowShape& shape = space.shape(cohort.sub_stream, cohort.state);
    const std::int64_t after_ttl = cohort.ttl_s > 0 ? liveness + shape.live_cells : 0;
    const std::int64_t at_once = shape.dead_cells + shape.complex_deletions + (tombstone ? 1 : 0);
    if (after_ttl > 0) each(cohort, Seconds{cohort.ttl_s}, after_ttl);
    if (at_once > 0) each(cohort, Seconds{0}, at_once);
  }
}

}  // namespace

bool drop_times_by_intervals(const ContentSpace& space, const Content& content) {
  return !content.keyed && space.counted_by_intervals(content.cohorts);
}

namespace {

/// Calls `each(step, members up to its end)` for the steps, of so many seconds, in which something of the members
/// [from, to) may be dropped, until it says false. A step is called by its end.
template <typename Each>
void each_drop_step(const SubStream& sub, std::int64_t from, std::int64_t to, Seconds after_write_s, Seconds step_s,
                    const Each& each) {
  for (std::int64_t j = from; j < to;) {
    const std::int64_t step = ceil_div(sub.arrival_s(j) + after_write_s, step_s);
    j = std::max(j + 1, std::min(to, sub.count_arrived_before_s(step * step_s - after_write_s + 1)));
    if (!each(step, j)) return;
  }
}

}  // namespace

std::int64_t drop_minutes(const ContentSpace& space, const Content& content, std::int64_t most) {
  std::vector<std::int64_t> minutes;  // ascending
  each_dropping(space, content, [&](const Cohort& cohort, Seconds after_write_s, std::int64_t) {
    if (std::ssize(minutes) == most) return;
    const SubStream& sub = space.sub_stream(cohort.sub_stream);
    const auto [first, last] = cohort.whole() ? std::pair(cohort.from, cohort.to - 1) : space.ends(cohort);
    each_drop_step(sub, first, last + 1, after_write_s, 60, [&](std::int64_t minute, std::int64_t) {
      const auto place = std::ranges::lower_bound(minutes, minute);
      if (place == minutes.end() || *place != minute) minutes.insert(place, minute);
      return std::ssize(minutes) < most;
    });
  });
  return std::ssize(minutes);
}

std::vector<PointsWithin> drop_points(const ContentSpace& space, const Content& content) {
  std::vector<PointsWithin> within;
  each_dropping(space, content, [&](const Cohort& cohort, Seconds after_write_s, std::int64_t per_row) {
    const SubStream& sub = space.sub_stream(cohort.sub_stream);
    within.push_back({.first_s = space.dates(cohort.sub_stream, cohort.from).arrival_s + after_write_s,
                      .last_s = space.dates(cohort.sub_stream, cohort.to - 1).arrival_s + after_write_s,
                      .points = space.members(cohort) * per_row * sub.writer().rows_per_event});
  });
  return within;
}

DropTimes drop_times_of(const ContentSpace& space, const Content& content) {
  std::map<Seconds, std::vector<PointsByMinute::Dropping>> by_second;  // of the minute
  std::map<Seconds, std::int64_t> in_order;
  each_dropping(space, content, [&](const Cohort& cohort, Seconds after_write_s, std::int64_t per_row) {
    const std::int64_t points = per_row * space.writer_of(cohort).rows_per_event;
    if (cohort.slots) {
      std::int64_t before = cohort.from;
      each_drop_step(space.sub_stream(cohort.sub_stream), cohort.from, cohort.to, after_write_s, 60,
                     [&](std::int64_t minute, std::int64_t to) {
                       in_order[minute * 60] += space.members_between(cohort, before, to) * points;
                       before = to;
                       return true;
                     });
      return;
    }
    by_second[after_write_s % 60].push_back({&cohort, after_write_s, points});
  });
  PointsByMinute points;
  for (const auto& [second, all] : by_second) points.add(space, all);
  DropTimesBuilder builder;
  if (!content.keyed && in_order.empty()) {
    points.each([&builder](Seconds point, std::int64_t count) { builder.add(point, count); });
    return builder.build();
  }
  points.each([&in_order](Seconds point, std::int64_t count) { in_order[point] += count; });
  const KeyedContent none;
  for (const KeyedPartition& partition : content.keyed ? *content.keyed : none) {
    if (partition.deletion) ++in_order[partition.deletion->local_deletion_time_s];
    for (const KeyedRange& range : partition.ranges) in_order[range.deletion.local_deletion_time_s] += 2;  // its bounds
    for (const KeyedCell& cell : partition.statics.cells)
      if (cell.local_deletion_time_s != no_deletion_time) ++in_order[cell.local_deletion_time_s];
  }
  for (const auto& [point, count] : in_order) {
    if (count > 0) builder.add(point, count);
  }
  return builder.build();
}

DropTimes smooth_drop_times(const ContentSpace& space, const Content& content) {
  constexpr Seconds most_steps = 98;  // both ends may lie within one
  Seconds first_s = INT64_MAX;
  Seconds last_s = INT64_MIN;
  each_dropping(space, content, [&](const Cohort& cohort, Seconds after_write_s, std::int64_t) {
    const SubStream& sub = space.sub_stream(cohort.sub_stream);
    first_s = std::min(first_s, sub.arrival_s(cohort.from) + after_write_s);
    last_s = std::max(last_s, sub.arrival_s(cohort.to - 1) + after_write_s);
  });
  if (first_s > last_s) return {};
  const Seconds step_s = ceil_div(std::max<Seconds>(1, last_s - first_s), most_steps * 60) * 60;
  const std::int64_t first_step = ceil_div(first_s, step_s);
  std::vector<DropTimes::Bin> bins(static_cast<std::size_t>(ceil_div(last_s, step_s) - first_step) + 1);
  each_dropping(space, content, [&](const Cohort& cohort, Seconds after_write_s, std::int64_t per_row) {
    const SubStream& sub = space.sub_stream(cohort.sub_stream);
    const std::int64_t members = space.members(cohort);
    const std::int64_t points = per_row * sub.writer().rows_per_event;
    std::int64_t before = 0;
    each_drop_step(sub, cohort.from, cohort.to, after_write_s, step_s, [&](std::int64_t step, std::int64_t to) {
      const std::int64_t upto = mul_div_floor(members, to - cohort.from, cohort.to - cohort.from);
      bins[static_cast<std::size_t>(step - first_step)].count += (upto - before) * points;
      before = upto;
      return true;
    });
  });
  for (std::size_t i = 0; i < bins.size(); ++i) {
    bins[i].point_s = (first_step + static_cast<std::int64_t>(i)) * step_s;
    bins[i].count = std::min<std::int64_t>(bins[i].count, std::numeric_limits<std::int32_t>::max());
  }
  std::erase_if(bins, [](const DropTimes::Bin& bin) { return bin.count == 0; });
  return DropTimes(std::move(bins));
}

}  // namespace windrow
