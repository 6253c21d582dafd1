#include "sim/content/measure.h"

#include <algorithm>
#include <span>
#include <utility>

#include "sim/base/arithmetic.h"
#include "sim/base/check.h"
#include "sim/content/range_markers.h"
#include "sim/content/row_pieces.h"
#include "sim/content/row_shape.h"
#include "sim/content/row_totals.h"
#include "sim/content/rows_together.h"
#include "sim/content/size_before.h"
#include "sim/content/smooth_measure.h"
#include "sim/content/static_rows.h"
#include "sim/content/stored_rows.h"

namespace windrow {

namespace {

/// Bytes of a writer's drawn keys: the mean row of all writes covered, times the different keys.
Bytes drawn_bytes(const ContentSpace& space, const Content& content, const RowFormat& format, const DrawnRows& drawn) {
  Bytes written = 0;
  for (const Cohort& cohort : content.cohorts) {
    const SubStream& sub = space.sub_stream(cohort.sub_stream);
    if (&sub.writer() != drawn.writer) continue;
    MembersInOrder members(space, cohort);
    each_row_piece(space, cohort, dates_of(space, cohort, members.all()), format, members,
                   [&](std::int64_t body, Rows count) { written += format.row_of(body, 30) * count; });
  }
  return mul_div_floor(written, drawn.rows, drawn.writes);
}

}  // namespace

void feed_extremes(const ContentSpace& space, const Cohort& cohort, const CohortDates& dates, FileExtremes& extremes) {
  const SubStream& sub = space.sub_stream(cohort.sub_stream);
  extremes.feed_timestamp(dates.oldest_us);
  extremes.feed_timestamp(dates.newest_us);
  const RowShape& shape = space.shape(cohort.sub_stream, cohort.state);
  if (shape.complex_deletions > 0) extremes.feed_timestamp(dates.oldest_us - 1);
  const bool dead_part = shape.dated_at_write() || cohort.state == RowState::row_tombstone;
  const bool liveness = cohort.state != RowState::row_tombstone && sub.writer().insert;
  if (liveness || shape.live_cells > 0) {
    extremes.feed_ttl(cohort.ttl_s);
    extremes.feed_deletion_time(cohort.ttl_s > 0 ? dates.first_s + cohort.ttl_s : no_deletion_time);
    extremes.feed_deletion_time(cohort.ttl_s > 0 ? dates.last_s + cohort.ttl_s : no_deletion_time);
  }
  if (dead_part) {
    if (shape.dead_cells > 0) extremes.feed_ttl(0);
    extremes.feed_deletion_time(dates.first_s);
    extremes.feed_deletion_time(dates.last_s);
  }
}

namespace {

/// All that is held row by row. Of a partition whose rows are intervals the static row counts here, all else there.
MeasuredStatics measure_keyed(const ContentSpace& space, const Content& content, FileExtremes& extremes) {
  const RowFormat format = space.format(content.bases);
  PartitionMeter meter(format);
  MeasuredStatics statics;
  Bytes headers = 0;
  Bytes key_bytes = 0;
  StoredRows rows(space.clustering_bytes());
  const std::vector<bool> beside = beside_rows(space, content);
  for (std::size_t i = 0; i < beside.size(); ++i) {
    const KeyedPartition& partition = (*content.keyed)[i];
    const Bytes before = meter.position();
    walk_partition(space, partition, rows, meter);
    if (!beside[i]) continue;
    ++statics.partitions;
    Bytes head = meter.position() - before - RowFormat::end_of_partition;
    RangeMarkers(space, partition).all([&](const StoredMarker& marker) { head = format.marker(marker, head); });
    const Bytes more = size_before(head);
    statics.before_next += more;
    statics.one_byte = statics.one_byte && more <= 1;
    headers += format.partition_header(partition.key_bytes) + RowFormat::end_of_partition;
    key_bytes += partition.key_bytes;
  }
  extremes = meter.finish().first;
  extremes.partitions -= statics.partitions;
  extremes.key_bytes -= key_bytes;
  extremes.uncompressed_bytes -= headers;
  return statics;
}

/// The default for "no liveness and no cell" holds for the whole file only.
void forget_ttls_of_none(const KeyedContent& content, FileExtremes& extremes) {
  const bool fed = std::ranges::any_of(content, [](const KeyedPartition& partition) {
    return !partition.statics.empty() ||
           std::ranges::any_of(partition.rows, [](const KeyedRow& row) { return row.liveness || !row.cells.empty(); });
  });
  if (fed) return;
  extremes.min_ttl_s = FileExtremes{}.min_ttl_s;
  extremes.max_ttl_s = FileExtremes{}.max_ttl_s;
}

}  // namespace

FileExtremes extremes_of_keyed(const KeyedContent& content, const FileExtremes& found) {
  FileExtremes extremes = found;
  forget_ttls_of_none(content, extremes);
  extremes.settle_ttl();
  return extremes;
}

ClosedMeasure measure_by_intervals(const ContentSpace& space, const Content& content, MeasureParts* parts) {
  const bool many_kinds = parts == nullptr && !content.cohorts.empty() && RowsTogether::fit(space, content.cohorts);
  if (!many_kinds) {
    if (std::optional<ClosedMeasure> smooth = measure_smooth(space, content, parts)) return *std::move(smooth);
  }
  ClosedMeasure measure;
  FileExtremes& extremes = measure.extremes;
  MeasuredStatics statics;
  if (content.keyed) {
    statics = measure_keyed(space, content, extremes);
    forget_ttls_of_none(*content.keyed, extremes);
  }
  if (content.cohorts.empty()) {
    extremes.settle_ttl();
    return measure;
  }
  const RowFormat format = space.format(content.bases);
  TotalsByWriter totals;
  Rows rows = 0;
  if (parts != nullptr) {
    parts->cohorts.reserve(content.cohorts.size());
    parts->partitions.reserve(content.cohorts.size());
  }
  std::optional<RowsTogether> together;
  if (many_kinds) {
    together.emplace(space, content.cohorts);
    together->feed_extremes(content.bases.min_timestamp_us(), extremes);
    together->find_steps(format);
  }
  RowsOfBodies of_bodies;
  for (std::size_t i = 0; i < content.cohorts.size(); ++i) {
    const Cohort& cohort = content.cohorts[i];
    if (together && together->take(i)) continue;
    const SubStream& sub = space.sub_stream(cohort.sub_stream);
    SIM_CHECK(space.counted_by_intervals({&cohort, 1}) || by_slots(space, cohort),
              "a cohort of some partitions is measured by rows");
    MembersInOrder in_order(space, cohort);
    const std::int64_t members = in_order.all();
    const CohortDates dates = together ? together->dates() : dates_of(space, cohort, members);
    if (!together) feed_extremes(space, cohort, dates, extremes);
    if (sub.writer().drawn_keys > 0) continue;
    const Rows cohort_rows = members * sub.writer().rows_per_event;
    rows += cohort_rows;
    extremes.cells += cohort_rows * space.shape(cohort.sub_stream, cohort.state).columns_set;
    RowTotals& of_writer = totals.of(sub.writer()).totals;
    const Bytes before = of_writer.after_short;
    each_row_span(
        space, cohort, dates, format, in_order,
        [&](std::int64_t body, std::span<const std::int64_t> sizes, std::span<const Rows> counts) {
          if (together && sizes.size() == 1) {
            of_bodies.add(sub.writer(), body + sizes[0], counts[0] * sub.writer().rows_per_event);
          } else {
            add_rows(format, body, sizes, counts, sub.writer().rows_per_event, of_writer);
          }
        },
        together ? &together->counts() : nullptr);
    if (parts != nullptr) parts->cohorts.push_back({.members = members, .row_bytes = of_writer.after_short - before});
  }
  if (together) {
    rows += together->give(extremes, of_bodies);
    of_bodies.each([&](const Writer& writer, std::int64_t body, Rows of_body) {
      constexpr std::int64_t no_value = 0;
      add_rows(format, body, {&no_value, 1}, {&of_body, 1}, 1, totals.of(writer).totals);
    });
  }
  for (const DrawnRows& drawn : space.drawn_rows(content.cohorts)) {
    rows += drawn.rows;
    extremes.cells += drawn.rows * static_cast<std::int64_t>(drawn.writer->columns.size());
    extremes.uncompressed_bytes += drawn_bytes(space, content, format, drawn);
  }
  CountedPartitions partitions =
      count_partitions(space, content.cohorts, parts != nullptr ? &parts->partitions : nullptr, totals);
  partitions.statics = statics;
  close_measure(format, totals, rows, partitions, measure);
  return measure;
}

bool by_slots(const ContentSpace& space, const Cohort& cohort) {
  const SubStream& sub = space.sub_stream(cohort.sub_stream);
  return space.own_tokens() != nullptr && cohort.slots && !cohort.cut_by_tokens() && !cohort.sets && sub.in_turn() &&
         !sub.writer().timestamp.add_row_number;
}

bool known_by_intervals(const ContentSpace& space, const Content& content) {
  return std::ranges::all_of(content.cohorts,
                             [&](const Cohort& cohort) { return cohort.whole() || by_slots(space, cohort); });
}

bool worth_a_look(const ContentSpace& space, const Content& content, Rows rows, Rows most) {
  return rows <= most && space.has_single_rows(content.cohorts) && space.drawn_rows(content.cohorts).empty();
}

ByRows measure_by_rows(const ContentSpace& space, const Content& content) {
  PartitionMeter meter(space.format(content.bases));
  space.walk(content, meter);
  return meter.finish();
}

}  // namespace windrow
