#include "sim/record/delays.h"

#include <algorithm>
#include <vector>

#include "sim/content/row_shape.h"
#include "sim/record/covered_rows.h"

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

void DelaySpread::add(Seconds first_s, Seconds last_s, Rows rows) {
  if (rows <= 0) return;
  max_s_ = std::max({max_s_, first_s, last_s});
  if (coarse(first_s) == coarse(last_s) || rows == 1) {
    values_.add(coarse(std::max<Seconds>(0, first_s)), rows);
    return;
  }
  for (std::int64_t i = 0; i < pieces; ++i) {
    const Rows here = rows * (i + 1) / pieces - rows * i / pieces;
    const Seconds middle_s = first_s + (last_s - first_s) * (2 * i + 1) / (2 * pieces);
    values_.add(coarse(std::max<Seconds>(0, middle_s)), here);
  }
}

DelaySummary DelaySpread::summary() {
  const Spread spread = values_.spread();
  return {.rows = values_.count(),
          .p50_s = std::min(spread.p50, max_s_),
          .p99_s = std::min(spread.p99, max_s_),
          .max_s = max_s_};
}

RemovalDelays::RemovalDelays(const ContentSpace& space)
    : space_(space), deleted_by_(space.workload().sub_streams().size(), -1) {
  for (int s = 0; s < static_cast<int>(deleted_by_.size()); ++s) {
    if (space.sub_stream(s).brings() != Brings::row_tombstones) continue;
    const int target = space.workload().target_of(s);
    if (target < 0) continue;
    deleted_by_[static_cast<std::size_t>(target)] = s;
    any_deletes_ = true;
  }
  for (const Writer& writer : space.workload().writers()) {
    const DeleteKind kind = space.workload().deletes_of(writer.index).kind;
    any_covering_ = any_covering_ || kind == DeleteKind::partition || kind == DeleteKind::range;
  }
}

void RemovalDelays::erased(Seconds first_s, Seconds last_s, Rows rows) {
  erasure_.add(first_s, last_s, rows);
  longest_erasure_s_ = std::max({longest_erasure_s_, first_s, last_s});
}

Rows RemovalDelays::deleted_go(int sub_stream, std::int64_t from, std::int64_t to, Seconds now_s) {
  const int by = deleted_by_[static_cast<std::size_t>(sub_stream)];
  if (by < 0) return 0;
  const SubStream& deletes = space_.sub_stream(by);
  const std::int64_t arrived = std::min(to, deletes.count_arrived_before_s(now_s + 1));
  Rows rows = 0;
  const auto go = [&](std::int64_t first, std::int64_t until) {
    if (until <= first) return;
    erased(now_s - deletes.arrival_s(first), now_s - deletes.arrival_s(until - 1), until - first);
    rows += until - first;
  };
  for (const auto& [unsent_from, unsent_to] : deletes.unsent()) {
    go(from, std::min(arrived, unsent_from));
    from = std::max(from, unsent_to);
  }
  go(from, arrived);
  return rows;
}

void RemovalDelays::values_go(const Content& content, Seconds expired_by_s, Seconds now_s) {
  for (const Cohort& cohort : content.cohorts) {
    if (!has_values(cohort.state) || cohort.ttl_s == 0) continue;
    const SubStream& sub = space_.sub_stream(cohort.sub_stream);
    const std::int64_t until = expired_until(sub, cohort, expired_by_s);
    if (until <= cohort.from) continue;
    retention_.add(now_s - sub.arrival_s(cohort.from) - cohort.ttl_s, now_s - sub.arrival_s(until - 1) - cohort.ttl_s,
                   (until - cohort.from) * sub.writer().rows_per_event);
    deleted_go(cohort.sub_stream, cohort.from, until, now_s);
  }
  if (!content.keyed) return;
  for (const KeyedPartition& partition : *content.keyed) {
    for (const KeyedRow& row : partition.rows) {
      for (const KeyedCell& cell : row.cells) {
        if (cell.kind != CellKind::expiring || cell.local_deletion_time_s > expired_by_s) continue;
        const Seconds stayed_s = now_s - cell.local_deletion_time_s;
        retention_.add(stayed_s, stayed_s, 1);
        break;
      }
    }
  }
}

void RemovalDelays::shadowed_rows_go(const Task& task, Seconds now_s) {
  for (const SSTablePtr& source : task.sources) {
    for (const Cohort& tombstones : source->content().cohorts) {
      if (tombstones.state != RowState::row_tombstone) continue;
      const int target = space_.workload().target_of(tombstones.sub_stream);
      for (const SSTablePtr& other : task.sources) {
        for (const Cohort& cohort : other->content().cohorts) {
          if (cohort.sub_stream != target || !has_values(cohort.state)) continue;
          const std::int64_t expired =
              cohort.ttl_s > 0 ? expired_until(space_.sub_stream(target), cohort, task.started_s) : cohort.from;
          deleted_go(target, std::max({expired, cohort.from, tombstones.from}), std::min(cohort.to, tombstones.to),
                     now_s);
        }
      }
    }
  }
}

void RemovalDelays::removed(const CommitEvent& event) {
  const Task& task = event.job->task;
  const Seconds now_s = event.at_us / us_per_s;
  for (const SSTablePtr& file : event.removed) {
    if (file->extremes().min_local_deletion_time_s <= task.started_s) values_go(file->content(), task.started_s, now_s);
  }
  if (any_deletes_) shadowed_rows_go(task, now_s);
  if (!any_covering_) return;
  std::vector<const Content*> sources;
  for (const SSTablePtr& source : task.sources) sources.push_back(&source->content());
  each_covered_row(sources, sources, [&](Seconds deleted_s) { erased(now_s - deleted_s, now_s - deleted_s, 1); });
}

Rows RemovalDelays::covered_still_there(std::span<const Content* const> files, const Content& memtable, Seconds end_s) {
  Rows pending = 0;
  if (!any_covering_) return pending;
  std::vector<const Content*> everything(files.begin(), files.end());
  everything.push_back(&memtable);
  each_covered_row(files, everything, [&](Seconds deleted_s) {
    erased(end_s - deleted_s, end_s - deleted_s, 1);
    ++pending;
  });
  return pending;
}

Rows RemovalDelays::still_there(const Content& content, Seconds end_s) {
  values_go(content, end_s, end_s);
  if (!any_deletes_) return 0;
  Rows pending = 0;
  for (const Cohort& cohort : content.cohorts) {
    if (!has_values(cohort.state)) continue;
    const std::int64_t expired =
        cohort.ttl_s > 0 ? expired_until(space_.sub_stream(cohort.sub_stream), cohort, end_s) : cohort.from;
    pending += deleted_go(cohort.sub_stream, expired, cohort.to, end_s);
  }
  return pending;
}

}  // namespace windrow
