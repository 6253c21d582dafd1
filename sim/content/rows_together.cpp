#include "sim/content/rows_together.h"

#include <algorithm>
#include <tuple>

#include "sim/content/date_steps.h"
#include "sim/content/row_shape.h"

namespace windrow {

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

void RowsTogether::find_steps(const RowFormat& format) {
  boost::container::small_vector<std::int64_t, RowBodies::most_steps + 1> timestamps{
      format.timestamp(dates_.oldest_us)};
  each_date_step(format.header().stats.min_timestamp_us, dates_.oldest_us, dates_.newest_us, [&](Micros step_us) {
    steps_.push_back(counts().below_timestamp(step_us));
    timestamps.push_back(format.timestamp(step_us));
  });
  static constexpr std::int64_t no_values[] = {0};
  for (std::size_t i = 0; i < cohorts_.size(); ++i) {
    Kind& kind = kinds_[kind_of_[i]];
    if (kind.bodies.found()) continue;
    const std::span<const std::int64_t> values =
        has_values(kind.state) ? space_->values(cohorts_[i].sub_stream).bytes() : no_values;
    kind.one_size = values.size() == 1;
    kind.bodies.find(format, *kind.shape, kind.ttl_s, values.front(), dates_, {timestamps.data(), timestamps.size()});
  }
}

bool RowsTogether::take(std::size_t i) {
  const Cohort& cohort = cohorts_[i];
  Kind& kind = kinds_[kind_of_[i]];
  if (!kind.one_size) return false;
  RowBodies::StepMembers timestamps;
  members_at_steps(
      cohort.from, cohort.to, steps_.size(),
      [&](std::size_t step) { return counts().count(cohort.sub_stream, steps_[step]); }, timestamps);
  const SubStream& sub = space_->sub_stream(cohort.sub_stream);
  // Each TTL has seconds of its own: they are not counted together.
  kind.bodies.add(cohort.from, {timestamps.data(), steps_.size() + 1},
                  [&sub](Seconds second) { return sub.count_arrived_before_s(second); });
  return true;
}

Rows RowsTogether::give(FileExtremes& extremes, RowsOfBodies& bodies) const {
  Rows all = 0;
  for (const Kind& kind : kinds_) {
    const Rows rows = kind.bodies.give(*kind.writer, bodies);
    extremes.cells += rows * kind.shape->columns_set;
    all += rows;
  }
  return all;
}

}  // namespace windrow
