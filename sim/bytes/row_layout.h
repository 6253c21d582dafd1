#pragma once

#include <cstdint>

#include "sim/bytes/byte_sink.h"
#include "sim/bytes/serialization_header.h"
#include "sim/bytes/stored_row.h"

namespace windrow {

/// How Data.db is laid out, said once for counting and for writing: SortedTablePartitionWriter, UnfilteredSerializer
/// (writeComplexColumn too), Cell.Serializer, Columns.Serializer and DeletionTime of Cassandra 5.0.9 (storage rules 1.3
/// to 1.9). `Out` is SizeSink, ByteSink, or a sink that counts and TakesDates.
class RowLayout {
 public:
  explicit RowLayout(const SerializationHeader& header) : header_(header) {}

  template <typename Out>
  void partition_deletion(Out& out, const DeletionTime& deletion) const {
    if (header_.format != SSTableFormat::nb && deletion.live()) {
      out.byte(0x80);
    } else if (header_.format == SSTableFormat::nb) {
      out.big_endian32(deletion.live() ? 0x7FFFFFFFU : static_cast<std::uint32_t>(deletion.local_deletion_time_s));
      out.big_endian64(static_cast<std::uint64_t>(deletion.marked_for_delete_at_us));
    } else {
      out.big_endian64(static_cast<std::uint64_t>(deletion.marked_for_delete_at_us));
      out.big_endian32(static_cast<std::uint32_t>(deletion.local_deletion_time_s));
    }
  }

  template <typename Out>
  void partition_header(Out& out, const ByteRun& key, const DeletionTime& deletion) const {
    out.big_endian16(static_cast<std::uint16_t>(key.size));
    out.run(key);
    partition_deletion(out, deletion);
  }

  template <typename Out>
  void end_of_partition(Out& out) const {
    out.byte(0x01);
  }

  /// `previous_bytes`: from the start of the unfiltered before to this one; of the first, all before it.
  template <typename Out>
  void row(Out& out, const StoredRow& row, std::int64_t previous_bytes) const {
    out.byte(row_flags(row, header_.regular_columns));
    out.run(row.clustering);
    sized_body(out, row, regular_columns(), previous_bytes);
  }
  /// A row of which only sizes are known: counted, not written.
  static void row_of_body(SizeSink& out, std::int64_t clustering_bytes, std::int64_t body_bytes,
                          std::int64_t previous_bytes) {
    out.byte(0);
    out.add(clustering_bytes);
    sizes(out, body_bytes, previous_bytes);
    out.add(body_bytes);
  }

  /// What follows the sizes of a row.
  template <typename Out>
  void body(Out& out, const StoredRow& row) const {
    row_body(out, row, regular_columns());
  }

  /// Written in every partition, empty or not, once the header has static columns.
  template <typename Out>
  void static_row(Out& out, const StoredRow& row) const {
    out.byte(row_flags(row, header_.static_columns) | 0x80);
    out.byte(0x01);
    sized_body(out, row, static_columns(), 0);
  }

  template <typename Out>
  void marker(Out& out, const StoredMarker& marker, std::int64_t previous_bytes) const {
    out.byte(0x02);
    out.byte(static_cast<std::uint8_t>(marker.kind));
    out.big_endian16(marker.values);
    if (marker.values > 0) out.run(marker.clustering);
    SizeSink body;
    marker_body(body, marker);
    sizes(out, body.size(), previous_bytes);
    if constexpr (Out::counts_only) {
      out.add(body.size());
    } else {
      marker_body(out, marker);
    }
  }

  template <typename Out>
  void timestamp(Out& out, Micros us) const {
    if constexpr (TakesDates<Out>) {
      out.timestamp(us);
    } else {
      out.unsigned_vint(static_cast<std::uint64_t>(us) - static_cast<std::uint64_t>(header_.stats.min_timestamp_us));
    }
  }
  template <typename Out>
  void local_deletion_time(Out& out, Seconds s) const {
    if constexpr (TakesDates<Out>) {
      out.local_deletion_time(s);
    } else {
      out.unsigned_vint(int_delta(s, header_.stats.min_local_deletion_time_s));
    }
  }
  template <typename Out>
  void ttl(Out& out, std::int64_t s) const {
    if constexpr (TakesDates<Out>) {
      out.ttl(s);
    } else {
      out.unsigned_vint(int_delta(s, header_.stats.min_ttl_s));
    }
  }
  template <typename Out>
  void deletion_time(Out& out, const DeletionTime& deletion) const {
    timestamp(out, deletion.marked_for_delete_at_us);
    local_deletion_time(out, deletion.local_deletion_time_s);
  }

  template <typename Out>
  void simple_cell(Out& out, const StoredCell& cell, const LivenessInfo& liveness) const {
    cell_head(out, cell, liveness);
    value(out, cell.value, cell.fixed_length);
  }

  template <typename Out>
  void complex_cell(Out& out, const StoredCell& cell, const LivenessInfo& liveness) const {
    cell_head(out, cell, liveness);
    out.unsigned_vint(static_cast<std::uint64_t>(cell.path.size));
    out.run(cell.path);
    value(out, cell.value, false);
  }

  /// A cell's value; the cell's flags say that it is empty.
  template <typename Out>
  static void value(Out& out, const ByteRun& run, bool fixed_length) {
    if (run.size == 0) return;
    if (!fixed_length) out.unsigned_vint(static_cast<std::uint64_t>(run.size));
    out.run(run);
  }

  /// Which of the header's regular columns a row has, of the table's `present` ones. Nothing if it has all of them.
  template <typename Out>
  void subset(Out& out, const ColumnSet& present) const {
    if (present == header_.regular_of_table && !present.empty()) return;
    const ColumnSet both = present & header_.regular_of_table;
    const int count = both.count();
    if (count == header_.regular_columns) return;
    subset(out, count, regular_columns(), [&](const auto& visit) { both.each(visit); });
  }

  const SerializationHeader& header() const { return header_; }

 private:
  /// The header's columns of a kind, and how cells name them (SerializationHeader::regular_of_table).
  struct Columns {
    int count = 0;
    const ColumnSet* of_table = nullptr;

    /// Among those of the header.
    int place(int column) const { return of_table != nullptr ? of_table->place(column) : column; }
  };
  Columns regular_columns() const {
    return {header_.regular_columns, header_.regular_of_table.empty() ? nullptr : &header_.regular_of_table};
  }

  Columns static_columns() const {
    return {header_.static_columns, header_.static_of_table.empty() ? nullptr : &header_.static_of_table};
  }

  // The difference is cast to a Java int, then widened with its sign: a negative one costs nine bytes.
  static std::uint64_t int_delta(std::int64_t value, std::int64_t base) {
    const auto wrapped =
        static_cast<std::uint32_t>(static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(base));
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(wrapped)));
  }

  static bool has_complex_deletion(const StoredRow& row) {
    for (const StoredComplexColumn& column : row.complex_columns) {
      if (!column.deletion.live()) return true;
    }
    return false;
  }

  static std::uint8_t row_flags(const StoredRow& row, int header_columns) {
    unsigned flags = 0;
    if (row.liveness.present) flags |= 0x04;
    if (row.liveness.present && row.liveness.expiring()) flags |= 0x08;
    if (!row.deletion.live()) flags |= 0x10;
    if (present_columns(row) == header_columns) flags |= 0x20;
    if (has_complex_deletion(row)) flags |= 0x40;
    return static_cast<std::uint8_t>(flags);
  }

  static int present_columns(const StoredRow& row) {
    return static_cast<int>(row.cells.size() + row.complex_columns.size());
  }

  // The size field counts the bytes of the previous size as well (storage rule 1.4).
  template <typename Out>
  static void sizes(Out& out, std::int64_t body_bytes, std::int64_t previous_bytes) {
    const auto previous = static_cast<std::uint64_t>(previous_bytes);
    out.unsigned_vint(static_cast<std::uint64_t>(body_bytes + unsigned_vint_size(previous)));
    out.unsigned_vint(previous);
  }

  template <typename Out>
  void sized_body(Out& out, const StoredRow& row, const Columns& columns, std::int64_t previous_bytes) const {
    SizeSink body;
    row_body(body, row, columns);
    sizes(out, body.size(), previous_bytes);
    if constexpr (Out::counts_only) {
      out.add(body.size());
    } else {
      row_body(out, row, columns);
    }
  }

  template <typename Out>
  void row_body(Out& out, const StoredRow& row, const Columns& columns) const {
    if (row.liveness.present) {
      timestamp(out, row.liveness.timestamp_us);
      if (row.liveness.expiring()) {
        ttl(out, row.liveness.ttl_s);
        local_deletion_time(out, row.liveness.local_expiration_time_s);
      }
    }
    if (!row.deletion.live()) deletion_time(out, row.deletion);
    if (present_columns(row) != columns.count)
      subset(out, present_columns(row), columns, [&](const auto& visit) { each_present(row, visit); });
    for (const StoredCell& cell : row.cells) simple_cell(out, cell, row.liveness);
    const bool deletions = has_complex_deletion(row);
    for (const StoredComplexColumn& column : row.complex_columns) {
      // One deletion in the row makes every complex column of the row write one (storage rule 1.8).
      if (deletions) deletion_time(out, column.deletion);
      out.unsigned_vint(column.cells.size());
      for (const StoredCell& cell : column.cells) complex_cell(out, cell, row.liveness);
    }
  }

  template <typename Out>
  void marker_body(Out& out, const StoredMarker& marker) const {
    if (marker.closes) deletion_time(out, marker.closed);
    if (marker.opens) deletion_time(out, marker.opened);
  }

  template <typename Visit>
  static void each_present(const StoredRow& row, Visit visit) {
    for (const StoredCell& cell : row.cells) visit(cell.column);
    for (const StoredComplexColumn& column : row.complex_columns) visit(column.column);
  }

  /// `each` visits the `present` columns of a row in ascending order.
  template <typename Out, typename Each>
  static void subset(Out& out, int present, const Columns& columns, const Each& each) {
    const int header_columns = columns.count;
    if (header_columns < 64) {
      std::uint64_t missing = (std::uint64_t{1} << header_columns) - 1;
      each([&](std::int32_t column) { missing &= ~(std::uint64_t{1} << columns.place(column)); });
      out.unsigned_vint(missing);
      return;
    }
    out.unsigned_vint(static_cast<std::uint64_t>(header_columns - present));
    const bool lists_present = present < header_columns / 2;
    std::int32_t next = 0;
    const auto missing_up_to = [&](std::int32_t column) {
      for (; next < column; ++next) out.unsigned_vint(static_cast<std::uint64_t>(next));
    };
    each([&](std::int32_t column) {
      const int place = columns.place(column);
      if (lists_present) {
        out.unsigned_vint(static_cast<std::uint64_t>(place));
      } else {
        missing_up_to(place);
        next = place + 1;
      }
    });
    if (!lists_present) missing_up_to(header_columns);
  }

  template <typename Out>
  void cell_head(Out& out, const StoredCell& cell, const LivenessInfo& liveness) const {
    const bool deleted = cell.kind == StoredCell::Kind::tombstone;
    const bool expiring = cell.kind == StoredCell::Kind::expiring;
    const bool row_timestamp = liveness.present && cell.timestamp_us == liveness.timestamp_us;
    const bool row_ttl = expiring && liveness.present && liveness.expiring() && cell.ttl_s == liveness.ttl_s &&
                         cell.local_deletion_time_s == liveness.local_expiration_time_s;
    unsigned flags = 0;
    if (deleted) flags |= 0x01;
    if (expiring) flags |= 0x02;
    if (cell.value.size == 0) flags |= 0x04;
    if (row_timestamp) flags |= 0x08;
    if (row_ttl) flags |= 0x10;
    out.byte(static_cast<std::uint8_t>(flags));
    if (!row_timestamp) timestamp(out, cell.timestamp_us);
    if ((deleted || expiring) && !row_ttl) local_deletion_time(out, cell.local_deletion_time_s);
    if (expiring && !row_ttl) ttl(out, cell.ttl_s);
  }

  SerializationHeader header_{};
};

}  // namespace windrow
