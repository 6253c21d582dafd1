#include "sim/record/delays.h"

#include <algorithm>
#include <vector>

#include "sim/content/duplicates.h"
#include "sim/content/row_shape.h"

namespace windrow {

namespace {

constexpr std::int64_t pieces = 8;

/// Rounded to eight binary digits.
Seconds coarse(Seconds span_s) {
  Seconds step = 1;
  while (span_s / step >= 256) step *= 2;
  return span_s / step * step + (step > 1 ? step / 2 : 0);
}

/// Members before this one are expired at that second.
std::int64_t expired_until(const SubStream& sub, const Cohort& cohort, Seconds now_s) {
  return std::clamp(sub.count_arrived_before_s(now_s - cohort.ttl_s + 1), cohort.from, cohort.to);
}

}  // namespace

void DelaySpread::add(Seconds first_s, Seconds last_s, Rows rows, Ended ended) {
  if (rows <= 0) return;
  max_s_ = std::max({max_s_, first_s, last_s});
  WeightedValues& values = ended == Ended::yes ? ended_ : lasting_;
  if (coarse(first_s) == coarse(last_s) || rows == 1) {
    values.add(coarse(std::max<Seconds>(0, first_s)), rows);
    return;
  }
  for (std::int64_t i = 0; i < pieces; ++i) {
    const Rows here = rows * (i + 1) / pieces - rows * i / pieces;
    const Seconds middle_s = first_s + (last_s - first_s) * (2 * i + 1) / (2 * pieces);
    values.add(coarse(std::max<Seconds>(0, middle_s)), here);
  }
}

DelaySummary DelaySpread::summary() {
  constexpr double rounding = 1e-12;
  DelaySummary summary{.rows = ended_.count() + lasting_.count(),
                       .still_there = lasting_.count(),
                       .p50 = {.s = max_s_, .at_least = true},
                       .p99 = {.s = max_s_, .at_least = true},
                       .max_s = max_s_};
  if (summary.rows == 0) return {};
  const auto reach = [&](DelayPercentile& percentile, double left, double most_left, Seconds span_s) {
    if (percentile.at_least && left <= most_left + rounding) percentile = {.s = std::min(span_s, max_s_)};
  };
  double left = 1;  // the share of spans that last longer
  Rows lasting = summary.rows;
  auto seen = lasting_.sorted().begin();
  for (const auto& [span_s, rows] : ended_.sorted()) {
    for (; seen != lasting_.sorted().end() && seen->first < span_s; ++seen) lasting -= seen->second;
    left *= 1 - static_cast<double>(rows) / static_cast<double>(lasting);
    lasting -= rows;
    reach(summary.p50, left, 0.5, span_s);
    reach(summary.p99, left, 0.01, span_s);
  }
  return summary;
}

RemovalDelays::RemovalDelays(const ContentSpace& space)
    : space_(space), deleted_by_(space.workload().sub_streams().size(), -1) {
  for (int s = 0; s < static_cast<int>(deleted_by_.size()); ++s) {
    if (space.sub_stream(s).brings() != Brings::row_tombstones) continue;
    const int target = space.workload().target_of(s);
    if (target < 0) continue;
    deleted_by_[static_cast<std::size_t>(target)] = s;
    any_deletes_ = true;
    any_covering_ = any_covering_ || space.workload().keyed(s);
  }
  for (const Writer& writer : space.workload().writers()) {
    const DeleteKind kind = space.workload().deletes_of(writer.index).kind;
    any_covering_ = any_covering_ || kind == DeleteKind::partition || kind == DeleteKind::range;
  }
  if (any_covering_) first_ranges_ = FirstRanges(space);
}

void RemovalDelays::see_deleted(Seconds first_s, Seconds last_s, Rows rows, Ended ended) {
  erasure_.add(first_s, last_s, rows, ended);
  longest_erasure_s_ = std::max({longest_erasure_s_, first_s, last_s});
}

Rows RemovalDelays::see_deleted_members(int sub_stream, std::int64_t from, std::int64_t to, Seconds now_s,
                                        Ended ended) {
  const int by = deleted_by_[static_cast<std::size_t>(sub_stream)];
  if (by < 0) return 0;
  const SubStream& deletes = space_.sub_stream(by);
  const std::int64_t arrived = std::min(to, deletes.count_arrived_before_s(now_s + 1));
  Rows rows = 0;
  const auto see = [&](std::int64_t first, std::int64_t until) {
    if (until <= first) return;
    see_deleted(now_s - deletes.arrival_s(first), now_s - deletes.arrival_s(until - 1), until - first, ended);
    rows += until - first;
  };
  for (const auto& [unsent_from, unsent_to] : deletes.unsent()) {
    see(from, std::min(arrived, unsent_from));
    from = std::max(from, unsent_to);
  }
  see(from, arrived);
  return rows;
}

void RemovalDelays::see_values(const Content& content, Seconds expired_by_s, Seconds now_s, Ended ended) {
  for (const Cohort& cohort : content.cohorts) {
    if (!has_values(cohort.state) || cohort.ttl_s == 0) continue;
    const SubStream& sub = space_.sub_stream(cohort.sub_stream);
    const std::int64_t until = expired_until(sub, cohort, expired_by_s);
    if (until <= cohort.from) continue;
    retention_.add(now_s - sub.arrival_s(cohort.from) - cohort.ttl_s, now_s - sub.arrival_s(until - 1) - cohort.ttl_s,
                   (until - cohort.from) * sub.writer().rows_per_event, ended);
    see_deleted_members(cohort.sub_stream, cohort.from, until, now_s, ended);
  }
  if (!content.keyed) return;
  for (const KeyedPartition& partition : *content.keyed) {
    for (const KeyedRow& row : partition.rows) {
      for (const KeyedCell& cell : row.cells) {
        if (cell.kind != CellKind::expiring || cell.local_deletion_time_s > expired_by_s) continue;
        const Seconds stayed_s = now_s - cell.local_deletion_time_s;
        retention_.add(stayed_s, stayed_s, 1, ended);
        break;
      }
    }
  }
}

void RemovalDelays::shadowed_rows_go(std::span<const Content* const> sources, Seconds started_s, Seconds now_s) {
  for (const Content* source : sources) {
    for (const Cohort& tombstones : source->cohorts) {
      if (tombstones.state != RowState::row_tombstone) continue;
      const int target = space_.workload().target_of(tombstones.sub_stream);
      for (const Content* other : sources) {
        for (const Cohort& cohort : other->cohorts) {
          if (cohort.sub_stream != target || !has_values(cohort.state)) continue;
          const std::int64_t expired =
              cohort.ttl_s > 0 ? expired_until(space_.sub_stream(target), cohort, started_s) : cohort.from;
          see_deleted_members(target, std::max({expired, cohort.from, tombstones.from}),
                              std::min(cohort.to, tombstones.to), now_s, Ended::yes);
        }
      }
    }
  }
}

void RemovalDelays::removed(const CommitEvent& event) {
  const Task& task = event.job->task;
  const Seconds now_s = event.at_us / us_per_s;
  const bool any_twice = event.change->ledger.duplicates > 0;
  std::vector<const Content*> sources;
  for (const SSTablePtr& source : task.sources) {
    if (any_twice || any_deletes_ || any_covering_) sources.push_back(&source->content());
  }
  // A row of several sources goes once.
  Content once;
  if (any_twice) {
    for (const Content* source : sources)
      once.cohorts.insert(once.cohorts.end(), source->cohorts.begin(), source->cohorts.end());
    absorb_duplicates(space_, once.cohorts);
    see_values(once, task.started_s, now_s, Ended::yes);
  }
  for (const SSTablePtr& file : event.removed) {
    const bool seen = any_twice && std::ranges::find(sources, &file->content()) != sources.end();
    if (seen) see_values({.keyed = file->content().keyed}, task.started_s, now_s, Ended::yes);
    if (!seen && file->extremes().min_local_deletion_time_s <= task.started_s)
      see_values(file->content(), task.started_s, now_s, Ended::yes);
  }
  const Content* const all = &once;
  if (any_deletes_ && !any_twice) shadowed_rows_go(sources, task.started_s, now_s);
  if (any_deletes_ && any_twice) shadowed_rows_go({&all, 1}, task.started_s, now_s);
  if (!any_covering_) return;
  each_covered_row(sources, Shadows(space_, sources), first_ranges_, [&](Seconds deleted_s, Rows rows) {
    see_deleted(now_s - deleted_s, now_s - deleted_s, rows, Ended::yes);
  });
}

Rows RemovalDelays::still_there(const Content& content, const Shadows& shadows, Seconds end_s) {
  see_values(content, end_s, end_s, Ended::not_yet);
  Rows pending = 0;
  if (any_covering_) {
    const Content* one = &content;
    each_covered_row({&one, 1}, shadows, first_ranges_, [&](Seconds deleted_s, Rows rows) {
      see_deleted(end_s - deleted_s, end_s - deleted_s, rows, Ended::not_yet);
      pending += rows;
    });
  }
  if (!any_deletes_) return pending;
  for (const Cohort& cohort : content.cohorts) {
    if (!has_values(cohort.state)) continue;
    const std::int64_t expired =
        cohort.ttl_s > 0 ? expired_until(space_.sub_stream(cohort.sub_stream), cohort, end_s) : cohort.from;
    pending += see_deleted_members(cohort.sub_stream, expired, cohort.to, end_s, Ended::not_yet);
  }
  return pending;
}

}  // namespace windrow
