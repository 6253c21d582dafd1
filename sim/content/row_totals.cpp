#include "sim/content/row_totals.h"

#include <algorithm>

#include "sim/base/arithmetic.h"
#include "sim/content/each_writer.h"
#include "sim/content/size_before.h"

namespace windrow {

namespace {

/// A row costs so many bytes more at most for what stands before it, and that of a row which takes one more itself.
constexpr Bytes longest_size_before = 3;
constexpr Bytes doubt_of_a_row = 2;

/// What is to be added to a number until it takes a byte more as an unsigned vint.
std::int64_t until_longer(std::int64_t number) {
  return (std::int64_t{1} << (7 * unsigned_vint_size(static_cast<std::uint64_t>(number)))) - number;
}

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

}  // namespace

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
    totals.rows += rows * times;
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

TotalsOfWriter& TotalsByWriter::of(const Writer& writer) {
  const auto known = std::ranges::find(writers_, &writer, &TotalsOfWriter::writer);
  return known != writers_.end() ? *known : writers_.emplace_back(TotalsOfWriter{.writer = &writer});
}

RowTotals TotalsByWriter::all() const {
  if (writers_.empty()) return {};
  RowTotals all = writers_.front().totals;
  for (const TotalsOfWriter& writer : each().subspan(1)) {
    all.rows += writer.totals.rows;
    all.after_short += writer.totals.after_short;
    all.after_long += writer.totals.after_long;
    all.before_next += writer.totals.before_next;
    all.near_longer += writer.totals.near_longer;
    all.smallest = std::min(all.smallest, writer.totals.smallest);
    all.largest = std::max(all.largest, writer.totals.largest);
    all.one_byte_apart = all.one_byte_apart && writer.totals.one_byte_apart;
  }
  return all;
}

CountedPartitions count_partitions(const ContentSpace& space, std::span<const Cohort> cohorts,
                                   std::vector<PartitionsBetween>* by_token, TotalsByWriter& totals) {
  CountedPartitions all;
  const auto add = [&](const Writer& writer, std::span<const Cohort> of_writer) {
    const auto [partitions, key_bytes] = space.count_partitions(of_writer, by_token);
    totals.of(writer).partitions = partitions;
    all.number += partitions;
    all.key_bytes += key_bytes;
  };
  const Writer& first = space.writer_of(cohorts.front());
  if (&first == &space.writer_of(cohorts.back())) {
    add(first, cohorts);
  } else {
    each_writer(space, cohorts, add);
  }
  return all;
}

void close_measure(const RowFormat& format, const TotalsByWriter& writers, Rows rows, const CountedPartitions& all,
                   ClosedMeasure& measure) {
  FileExtremes& extremes = measure.extremes;
  const RowTotals totals = writers.all();
  const std::int64_t partitions = all.number;
  const Bytes key_bytes = all.key_bytes;
  const MeasuredStatics& statics = all.statics;
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
    // First rows have none before them; all others are taken to follow any row of their writer. Which rows are the last
    // of their partitions is not known.
    const Rows followers = std::max<Rows>(0, rows - partitions);
    extremes.uncompressed_bytes += headers + totals.after_short;
    for (const TotalsOfWriter& writer : writers.each()) {
      const Rows of_writer = std::max<Rows>(0, writer.totals.rows - writer.partitions);
      if (of_writer > 0)
        extremes.uncompressed_bytes += mul_div_floor(writer.totals.before_next, of_writer, writer.totals.rows);
    }
    const Bytes apart = size_before(totals.largest) - size_before(totals.smallest);
    measure.doubt +=
        apart * std::min<Rows>(partitions, followers) + doubt_of_a_row * std::min(totals.near_longer, followers);
  }
}

}  // namespace windrow
