#include "sim/content/shadows.h"

#include <algorithm>
#include <tuple>

namespace windrow {

namespace {

bool has_tombstones(const KeyedPartition& partition) {
  return partition.deletion || !partition.ranges.empty() ||
         std::ranges::any_of(partition.rows, [](const KeyedRow& row) { return row.deletion.has_value(); });
}

/// Newest write of a row that still has its values; nothing for one that has none.
std::optional<Micros> value_written_us(const KeyedRow& row) {
  std::optional<Micros> newest_us;
  for (const KeyedCell& cell : row.cells) {
    if (cell.kind != CellKind::tombstone)
      newest_us = std::max(newest_us.value_or(cell.timestamp_us), cell.timestamp_us);
  }
  return newest_us;
}

}  // namespace

bool Shadows::possible(const TableWorkload& workload) {
  return std::ranges::any_of(workload.writers(), [&](const Writer& writer) {
    const DeleteKind kind = workload.deletes_of(writer.index).kind;
    return kind != DeleteKind::none && kind != DeleteKind::cell;
  });
}

Shadows::Shadows(const ContentSpace& space, std::span<const Content* const> contents) : space_(&space) {
  if (!possible(space.workload())) return;
  std::vector<const KeyedContent*> keyed;
  for (const Content* content : contents) {
    if (content->keyed) keyed.push_back(content->keyed.get());
  }
  if (space.workload().deletes_partitions()) of_partitions_ = PartitionDeletes(space, keyed);
  // Those of rows that are held one by one are asked for by token.
  const bool one_by_one = std::ranges::any_of(keyed, [](const KeyedContent* content) {
    return std::ranges::any_of(*content, [](const KeyedPartition& partition) {
      return !partition.rows.empty() || !partition.statics.empty();
    });
  });
  for (const Content* content : contents) {
    for (const Cohort& cohort : content->cohorts) {
      if (cohort.state != RowState::row_tombstone) continue;
      const int target = space.workload().target_of(cohort.sub_stream);
      if (target >= 0) deleted_.push_back({target, cohort.from, cohort.to});
    }
    if (!content->keyed || !one_by_one) continue;
    for (const KeyedPartition& partition : *content->keyed) {
      if (has_tombstones(partition)) tombstones_.push_back(&partition);
    }
  }
  std::ranges::stable_sort(tombstones_, {}, &KeyedPartition::token);
  std::ranges::sort(deleted_, {}, [](const Members& m) { return std::tuple(m.sub_stream, m.from, m.to); });
  // Tombstones of the same rows lie in several files where they were cut by tokens.
  std::size_t kept = 0;
  for (std::size_t i = 1; i < deleted_.size(); ++i) {
    Members& last = deleted_[kept];
    if (deleted_[i].sub_stream == last.sub_stream && deleted_[i].from <= last.to) {
      last.to = std::max(last.to, deleted_[i].to);
    } else {
      deleted_[++kept] = deleted_[i];
    }
  }
  if (!deleted_.empty()) deleted_.resize(kept + 1);
}

std::int64_t Shadows::deleted(int sub_stream, std::int64_t from, std::int64_t to) const {
  std::int64_t members = 0;
  auto next = std::ranges::upper_bound(deleted_, std::pair(sub_stream, from), {},
                                       [](const Members& m) { return std::pair(m.sub_stream, m.to); });
  for (; next != deleted_.end() && next->sub_stream == sub_stream && next->from < to; ++next)
    members += std::min(to, next->to) - std::max(from, next->from);
  return members;
}

void Shadows::each_first(const PartitionDeletes::OfSlot& deleted, const SubStream& sub, std::int64_t from,
                         std::int64_t to, const FirstRanges& first,
                         const std::function<void(const Deletion&, Rows)>& each) const {
  const auto see = [&](const Deletion& deletion, std::int64_t until) {
    const Rows rows = members_of_slot(sub, deleted.bucket, deleted.slot, from, until);
    if (rows > 0) each(deletion, rows * sub.writer().rows_per_event);
    from = std::max(from, until);
  };
  const Token token =
      space_->tokens().of(sub.writer(), deleted.bucket).by_slot()[static_cast<std::size_t>(deleted.slot)];
  const std::span<const FirstRanges::Range> ranges = first.of(token);
  const std::int64_t clustering = sub.writer().clustering_of(sub.row(from));
  for (auto range = std::ranges::upper_bound(ranges, clustering, {}, &FirstRanges::Range::until_ms);
       range != ranges.end() && from < to; ++range)
    see(range->deletion, std::min(to, members_below(sub, range->until_ms)));
  see(deleted.deletion, to);
}

void Shadows::each_covered(const Cohort& cohort, std::int64_t from, const FirstRanges* first_ranges,
                           const std::function<void(const Deletion&, Rows)>& each) const {
  if (of_partitions_.none()) return;
  const SubStream& sub = space_->sub_stream(cohort.sub_stream);
  of_partitions_.each_covered(cohort,
                              [&](const PartitionDeletes::OfSlot& deleted, std::int64_t first, std::int64_t last) {
                                first = std::max(first, from);
                                if (first_ranges != nullptr && deleted.until_ms != INT64_MAX) {
                                  if (first < last) each_first(deleted, sub, first, last, *first_ranges, each);
                                  return;
                                }
                                Rows rows = members_of_slot(sub, deleted.bucket, deleted.slot, first, last);
                                if (this->deleted(cohort.sub_stream, first, last) > 0) {
                                  for (const Members& of_row : deleted_) {
                                    if (of_row.sub_stream == cohort.sub_stream)
                                      rows -= members_of_slot(sub, deleted.bucket, deleted.slot,
                                                              std::max(first, of_row.from), std::min(last, of_row.to));
                                  }
                                }
                                if (rows > 0) each(deleted.deletion, rows * sub.writer().rows_per_event);
                              });
}

double Shadows::covered_rows(const Cohort& cohort, std::int64_t from) const {
  double rows = 0;
  each_covered(cohort, from, nullptr, [&](const Deletion&, Rows covered) { rows += static_cast<double>(covered); });
  return rows;
}

std::optional<Deletion> Shadows::on(Token token, std::int64_t clustering) const {
  std::optional<Deletion> strongest;
  auto next = std::ranges::lower_bound(tombstones_, token, {}, &KeyedPartition::token);
  for (; next != tombstones_.end() && (*next)->token == token; ++next) {
    const KeyedPartition& version = **next;
    strongest = std::max(strongest, version.deletion);
    for (const KeyedRange& range : version.ranges) {
      if (range.from <= clustering && clustering < range.to)
        strongest = std::max<std::optional<Deletion>>(strongest, range.deletion);
    }
    const auto row = std::ranges::lower_bound(version.rows, clustering, {}, &KeyedRow::clustering);
    if (row != version.rows.end() && row->clustering == clustering) strongest = std::max(strongest, row->deletion);
  }
  return strongest;
}

bool Shadows::covers(Token token, const KeyedRow& row) const {
  const std::optional<Deletion> deletion = on(token, row.clustering);
  if (!deletion) return false;
  const bool live = row.liveness && row.liveness->timestamp_us > deletion->timestamp_us;
  return !live && value_written_us(row).value_or(INT64_MIN) <= deletion->timestamp_us;
}

void each_covered_row(std::span<const Content* const> rows_in, const Shadows& shadows, const FirstRanges& first,
                      const std::function<void(Seconds, Rows)>& each) {
  if (!shadows.of_keyed() && shadows.of_partitions().none()) return;
  for (const Content* content : rows_in) {
    for (const Cohort& cohort : content->cohorts) {
      if (!has_values(cohort.state)) continue;
      shadows.each_covered(cohort, cohort.from, &first,
                           [&](const Deletion& deletion, Rows rows) { each(deletion.local_deletion_time_s, rows); });
    }
    if (!content->keyed) continue;
    for (const KeyedPartition& partition : *content->keyed) {
      for (const KeyedRow& row : partition.rows) {
        const std::optional<Micros> written_us = value_written_us(row);
        if (!written_us) continue;
        const std::optional<Deletion> deletion = shadows.on(partition.token, row.clustering);
        if (!deletion || *written_us > deletion->timestamp_us) continue;
        each(first.first_s(partition.token, row.clustering, *written_us, deletion->local_deletion_time_s), 1);
      }
    }
  }
}

}  // namespace windrow
