#include "sim/content/measure.h"

#include <algorithm>
#include <span>
#include <utility>

#include "sim/base/arithmetic.h"
#include "sim/base/check.h"
#include "sim/content/range_markers.h"
#include "sim/content/row_pieces.h"
#include "sim/content/row_shape.h"
#include "sim/content/rows_together.h"
#include "sim/content/size_before.h"
#include "sim/content/static_rows.h"
#include "sim/content/stored_rows.h"

namespace windrow {

namespace {

/// Sizes of all rows, given that the size of the row before is written in one byte, or in two but for first rows.
struct RowTotals {
  Bytes after_short = 0;
  Bytes after_long = 0;
  Bytes before_next = 0;  // of all: size_before
  Rows near_longer = 0;   // of sizes at which a byte or two before them may cost another byte, here or in the row after
  std::int64_t smallest = INT64_MAX;  // after a short row
  std::int64_t largest = 0;           // after a long row
  bool one_byte_apart = true;         // a long row before costs exactly one byte more
};

/// A row costs so many bytes more at most for what stands before it, and that of a row which takes one more itself.
constexpr Bytes longest_size_before = 3;
constexpr Bytes doubt_of_a_row = 2;

/// What is to be added to a number until it takes a byte more as an unsigned vint.
std::int64_t until_longer(std::int64_t number) {
  return (std::int64_t{1} << (7 * unsigned_vint_size(static_cast<std::uint64_t>(number)))) - number;
}

/// `times` times the rows of `counts`, of these sizes of values.
void add_rows(const RowFormat& format, std::int64_t body, std::span<const std::int64_t> sizes,
              std::span<const Rows> counts, Rows times, RowTotals& totals) {
  std::size_t end = counts.size();
  while (end > 1 && counts[end - 1] == 0) --end;
  std::size_t k = 0;
  while (k + 1 < end && counts[k] == 0) ++k;
  if (counts.size() > 1 && counts[k] == 0) return;
  while (k < end) {
    const std::int64_t first_body = body + sizes[k];
    const Bytes after_short = format.row_of(first_body, 1);
    const Bytes after_long = format.row_of(first_body, 128);
    Rows rows = counts[k];
    Bytes values = counts[k] * sizes[k];
    Rows near = 0;
    std::size_t last = k;
    std::size_t to = k + 1;
    if (to < end || after_short + longest_size_before >= 128) {
      // A row says how long its body is with the size of the row before, the row after it how long it is: until one of
      // these takes another byte, each byte of values is a byte of the row.
      const std::int64_t last_size =
          sizes[k] - 1 +
          std::min({until_longer(first_body + 1), until_longer(first_body + 2), until_longer(after_short)});
      const auto near_longer = [&](std::size_t at) { return sizes[at] > last_size - longest_size_before; };
      if (near_longer(k)) near += counts[k];
      for (; to < end && sizes[to] <= last_size; ++to) {
        rows += counts[to];
        values += counts[to] * sizes[to];
        if (near_longer(to)) near += counts[to];
        if (counts[to] > 0) last = to;
      }
    }
    totals.near_longer += near * times;
    totals.after_short += (values + (after_short - sizes[k]) * rows) * times;
    totals.after_long += (values + (after_long - sizes[k]) * rows) * times;
    totals.before_next += size_before(after_short) * rows * times;
    totals.smallest = std::min(totals.smallest, after_short);
    totals.largest = std::max(totals.largest, after_long + sizes[last] - sizes[k]);
    totals.one_byte_apart = totals.one_byte_apart && after_long == after_short + 1;
    for (k = to; k < end && counts[k] == 0;) ++k;
  }
}

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

/// What first rows pay for the headers before them, by the mean key of all partitions: exact where keys are as long as
/// each other to a byte, or all `alike` on one side of where sizes take two bytes.
struct RowsAtFront {
  RowsAtFront(const RowFormat& format, std::int64_t partitions, Bytes key_bytes) {
    if (partitions == 0) return;
    const Bytes empty_static_row = format.header().static_columns > 0 ? format.static_row({}) : 0;
    const auto before = [&](Bytes key) { return size_before(format.partition_header(key) + empty_static_row); };
    const Bytes shorter = key_bytes / partitions;
    const std::int64_t longer = key_bytes % partitions;
    before_next = (partitions - longer) * before(shorter) + longer * before(shorter + 1);
    constexpr Bytes keys_differ_by = 12;
    alike = before(std::max<Bytes>(0, shorter - keys_differ_by)) == before(shorter + keys_differ_by);
  }
  Bytes before_next = 0;
  bool alike = true;
};

/// Static rows beside rows that are held as intervals.
struct MeasuredStatics {
  std::int64_t partitions = 0;
  Bytes before_next = 0;  // of all: size_before
  bool one_byte = true;   // none pays more than one
};

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
  RowTotals totals;
  Rows rows = 0;
  if (parts != nullptr) {
    parts->cohorts.reserve(content.cohorts.size());
    parts->partitions.reserve(content.cohorts.size());
  }
  std::optional<RowsTogether> together;
  if (parts == nullptr && RowsTogether::fit(space, content.cohorts)) {
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
    const Bytes before = totals.after_short;
    each_row_span(
        space, cohort, dates, format, in_order,
        [&](std::int64_t body, std::span<const std::int64_t> sizes, std::span<const Rows> counts) {
          if (together && sizes.size() == 1) {
            of_bodies.add(body + sizes[0], counts[0] * sub.writer().rows_per_event);
          } else {
            add_rows(format, body, sizes, counts, sub.writer().rows_per_event, totals);
          }
        },
        together ? &together->counts() : nullptr);
    if (parts != nullptr) parts->cohorts.push_back({.members = members, .row_bytes = totals.after_short - before});
  }
  if (together) {
    rows += together->give(extremes, of_bodies);
    of_bodies.each([&](std::int64_t body, Rows of_body) {
      constexpr std::int64_t no_value = 0;
      add_rows(format, body, {&no_value, 1}, {&of_body, 1}, 1, totals);
    });
  }
  for (const DrawnRows& drawn : space.drawn_rows(content.cohorts)) {
    rows += drawn.rows;
    extremes.cells += drawn.rows * static_cast<std::int64_t>(drawn.writer->columns.size());
    extremes.uncompressed_bytes += drawn_bytes(space, content, format, drawn);
  }
  const auto [partitions, key_bytes] =
      space.count_partitions(content.cohorts, parts != nullptr ? &parts->partitions : nullptr);
  Bytes headers = partitions * (format.partition_header(0) + RowFormat::end_of_partition) + key_bytes;
  if (format.header().static_columns > 0) headers += (partitions - statics.partitions) * format.static_row({});
  headers += statics.before_next;
  if (statics.before_next > 0 && (!statics.one_byte || !totals.one_byte_apart))
    measure.doubt += doubt_of_a_row * statics.partitions;
  const RowsAtFront first_rows(format, partitions, key_bytes);
  if (first_rows.before_next > 0)
    headers += mul_div_floor(first_rows.before_next, partitions - statics.partitions, partitions);
  if (!first_rows.alike || (first_rows.before_next > 0 && !totals.one_byte_apart))
    measure.doubt += doubt_of_a_row * partitions;
  extremes.rows += rows;
  extremes.partitions += partitions;
  extremes.key_bytes += key_bytes;
  extremes.settle_ttl();
  if (totals.largest < 128) {
    extremes.uncompressed_bytes += headers + totals.after_short;
  } else if (totals.smallest >= 128 && totals.largest < 16384 && totals.one_byte_apart) {
    extremes.uncompressed_bytes += headers + totals.after_long - partitions;
  } else {
    // First rows have none before them; all others are taken to follow any row of the file. Which rows are the last of
    // their partitions is not known.
    const Rows followers = std::max<Rows>(0, rows - partitions);
    extremes.uncompressed_bytes += headers + totals.after_short + mul_div_floor(totals.before_next, followers, rows);
    const Bytes apart = size_before(totals.largest) - size_before(totals.smallest);
    measure.doubt +=
        apart * std::min<Rows>(partitions, followers) + doubt_of_a_row * std::min(totals.near_longer, followers);
  }
  return measure;
}

bool by_slots(const ContentSpace& space, const Cohort& cohort) {
  const SubStream& sub = space.sub_stream(cohort.sub_stream);
  return space.slots_by_arithmetic() && space.own_tokens() != nullptr && cohort.slots && !cohort.cut_by_tokens() &&
         !cohort.sets && sub.in_turn() && !sub.writer().timestamp.add_row_number;
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
