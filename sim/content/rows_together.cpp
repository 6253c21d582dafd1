#include "sim/content/rows_together.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "sim/content/date_steps.h"
#include "sim/content/row_shape.h"

namespace windrow {

void RowsOfBodies::add(std::int64_t body, Rows rows) {
  const auto known = std::ranges::find(rows_, body, &std::pair<std::int64_t, Rows>::first);
  if (known != rows_.end()) {
    known->second += rows;
  } else {
    rows_.emplace_back(body, rows);
  }
}

bool RowsTogether::fit(const ContentSpace& space, std::span<const Cohort> cohorts) {
  return worth_counting_together(space, cohorts) && !space.workload().draws_keys() &&
         std::ranges::all_of(cohorts, [&](const Cohort& cohort) {
           return space.shape(cohort.sub_stream, cohort.state).complex_deletions == 0;
         });
}

RowsTogether::RowsTogether(const ContentSpace& space, std::span<const Cohort> cohorts)
    : space_(&space), cohorts_(cohorts), ends_(space, cohorts) {
  kind_of_.reserve(cohorts.size());
  for (const Cohort& cohort : cohorts) kind_of_.push_back(static_cast<std::uint32_t>(kind_of(cohort)));
}

std::size_t RowsTogether::kind_of(const Cohort& cohort) {
  const Writer& writer = space_->writer_of(cohort);
  // Kinds follow each other as they did before, lateness by lateness.
  std::size_t likely = kind_of_.empty() ? 0 : kind_of_.back();
  for (std::size_t looks = 0; looks < kinds_.size(); ++looks) {
    if (++likely >= kinds_.size()) likely = 0;
    const Kind& kind = kinds_[likely];
    if (kind.ttl_s == cohort.ttl_s && kind.state == cohort.state && kind.writer == &writer) return likely;
  }
  const RowShape& shape = space_->shape(cohort.sub_stream, cohort.state);
  const bool tombstone = cohort.state == RowState::row_tombstone;
  Kind kind{.writer = &writer, .state = cohort.state, .ttl_s = cohort.ttl_s, .shape = &shape};
  if ((!tombstone && writer.insert) || shape.live_cells > 0)
    kind.drops.push_back(cohort.ttl_s > 0 ? cohort.ttl_s : no_deletion_time);
  if (shape.dated_at_write() || tombstone) kind.drops.push_back(0);
  kinds_.push_back(std::move(kind));
  return kinds_.size() - 1;
}

void RowsTogether::feed_extremes(Micros not_below_us, FileExtremes& extremes) {
  dates_ = {.oldest_us = ends_.oldest_us(not_below_us), .newest_us = ends_.newest_us()};
  std::tie(dates_.first_s, dates_.last_s) = ends_.arrivals_within_s(dates_.oldest_us, dates_.newest_us);
  extremes.feed_timestamp(dates_.oldest_us);
  extremes.feed_timestamp(dates_.newest_us);
  boost::container::small_vector<Seconds, 16> all_drops;
  for (const Kind& kind : kinds_) {
    const bool liveness = kind.state != RowState::row_tombstone && kind.writer->insert;
    if (liveness || kind.shape->live_cells > 0) extremes.feed_ttl(kind.ttl_s);
    if (kind.shape->dead_cells > 0) extremes.feed_ttl(0);
    all_drops.insert(all_drops.end(), kind.drops.begin(), kind.drops.end());
  }
  std::ranges::sort(all_drops);
  all_drops.erase(std::unique(all_drops.begin(), all_drops.end()), all_drops.end());
  if (!all_drops.empty() && all_drops.back() == no_deletion_time) {
    extremes.feed_deletion_time(no_deletion_time);
    all_drops.pop_back();
  }
  const auto has = [this](Seconds drop) {
    return [this, drop](const Cohort& cohort) {
      const Drops& drops = kinds_[kind_of_[static_cast<std::size_t>(&cohort - cohorts_.data())]].drops;
      return std::ranges::find(drops, drop) != drops.end();
    };
  };
  for (const Seconds drop : all_drops) {
    if (dates_.first_s + drop >= extremes.min_local_deletion_time_s) break;
    extremes.feed_deletion_time(ends_.first_s(has(drop), dates_.first_s) + drop);
  }
  while (!all_drops.empty() && dates_.last_s + all_drops.back() > extremes.max_local_deletion_time_s) {
    extremes.feed_deletion_time(ends_.last_s(has(all_drops.back()), dates_.last_s) + all_drops.back());
    all_drops.pop_back();
  }
}

void RowsTogether::find_steps(const RowFormat& format, Seconds after_write_s, DeletionSteps& steps) const {
  const Seconds first_s = dates_.first_s + after_write_s;
  steps.bytes.push_back(format.local_deletion_time(first_s));
  each_date_step(format.header().stats.min_local_deletion_time_s, first_s, dates_.last_s + after_write_s,
                 [&](Seconds step_s) {
                   steps.arrivals_s.push_back(step_s - after_write_s);
                   steps.bytes.push_back(format.local_deletion_time(step_s));
                 });
}

void RowsTogether::find_steps(const RowFormat& format) {
  boost::container::small_vector<std::int64_t, most_steps> timestamps{format.timestamp(dates_.oldest_us)};
  each_date_step(format.header().stats.min_timestamp_us, dates_.oldest_us, dates_.newest_us, [&](Micros step_us) {
    steps_.push_back(counts().below_timestamp(step_us));
    timestamps.push_back(format.timestamp(step_us));
  });
  static constexpr std::int64_t no_values[] = {0};
  for (std::size_t i = 0; i < cohorts_.size(); ++i) {
    Kind& kind = kinds_[kind_of_[i]];
    if (!kind.bodies.empty()) continue;
    const std::span<const std::int64_t> values =
        has_values(kind.state) ? space_->values(cohorts_[i].sub_stream).bytes() : no_values;
    kind.one_size = values.size() == 1;
    const RowBody& row = kind.shape->body(kind.ttl_s);
    const auto find = [&](std::int64_t times, Seconds after_write_s, DeletionSteps& steps) {
      if (times > 0) {
        find_steps(format, after_write_s, steps);
      } else {
        steps.bytes.push_back(0);
      }
    };
    find(row.times.expiry, kind.ttl_s, kind.expiry);
    find(row.times.death, 0, kind.death);
    DateBytes of_row{.ttl = format.ttl(kind.ttl_s)};
    const std::int64_t others = format.subset(kind.shape->present) + values.front();
    for (const std::int64_t death : kind.death.bytes) {
      of_row.death = death;
      for (const std::int64_t expiry : kind.expiry.bytes) {
        of_row.expiry = expiry;
        for (const std::int64_t timestamp : timestamps) {
          of_row.timestamp = timestamp;
          kind.bodies.push_back(row.bytes(of_row) + others);
        }
      }
    }
    kind.members.resize(kind.bodies.size());
  }
}

namespace {

/// The first members of a cohort that are not below some steps, ascending; then its end.
using StepMembers = std::array<std::int64_t, 11>;

/// `below(step)` counts members of the sub-stream; where a step has none of the cohort before it, no earlier one has.
template <typename Below>
void members_at_steps(const Cohort& cohort, std::size_t steps, const Below& below, StepMembers& members) {
  members[steps] = cohort.to;
  while (steps > 0) {
    const std::int64_t to = members[steps--];
    members[steps] = to == cohort.from ? to : std::clamp(below(steps), cohort.from, to);
  }
}

}  // namespace

bool RowsTogether::take(std::size_t i) {
  const Cohort& cohort = cohorts_[i];
  Kind& kind = kinds_[kind_of_[i]];
  if (!kind.one_size) return false;
  StepMembers timestamps;
  members_at_steps(
      cohort, steps_.size(), [&](std::size_t step) { return counts().count(cohort.sub_stream, steps_[step]); },
      timestamps);
  if (kind.members.size() == steps_.size() + 1) {
    std::int64_t from = cohort.from;
    for (std::size_t step = 0; step < kind.members.size(); ++step) {
      kind.members[step] += timestamps[step] - from;
      from = timestamps[step];
    }
    return true;
  }
  const SubStream& sub = space_->sub_stream(cohort.sub_stream);
  // Each TTL has seconds of its own: they are not counted together.
  const auto find_members = [&](const DeletionSteps& steps, StepMembers& members) {
    members_at_steps(
        cohort, steps.arrivals_s.size(),
        [&](std::size_t step) { return sub.count_arrived_before_s(steps.arrivals_s[step]); }, members);
  };
  StepMembers expiries;
  StepMembers deaths;
  find_members(kind.expiry, expiries);
  find_members(kind.death, deaths);
  std::size_t timestamp = 0;
  std::size_t expiry = 0;
  std::size_t death = 0;
  for (std::int64_t from = cohort.from; from < cohort.to;) {
    const std::int64_t to = std::min({timestamps[timestamp], expiries[expiry], deaths[death]});
    kind.members[(death * kind.expiry.bytes.size() + expiry) * (steps_.size() + 1) + timestamp] += to - from;
    from = to;
    timestamp += timestamps[timestamp] == to ? 1 : 0;
    expiry += expiries[expiry] == to ? 1 : 0;
    death += deaths[death] == to ? 1 : 0;
  }
  return true;
}

Rows RowsTogether::give(FileExtremes& extremes, RowsOfBodies& bodies) const {
  Rows all = 0;
  for (const Kind& kind : kinds_) {
    for (std::size_t step = 0; step < kind.members.size(); ++step) {
      const Rows rows = kind.members[step] * kind.writer->rows_per_event;
      if (rows == 0) continue;
      bodies.add(kind.bodies[step], rows);
      all += rows;
      extremes.cells += rows * kind.shape->columns_set;
    }
  }
  return all;
}

}  // namespace windrow
