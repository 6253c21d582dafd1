#pragma once

#include <bit>
#include <cstdint>

#include "sim/base/units.h"
#include "sim/content/row_view.h"
#include "sim/stats/vint.h"

namespace windrow {

/// Delta bases and columns of an SSTable's header (storage rule 1.2).
struct HeaderBases {
  // Fixed epochs where nothing was seen: EncodingStats, Cassandra 5.0.
  static constexpr Micros timestamp_epoch_us = 1'442'880'000'000'000;
  static constexpr Seconds deletion_epoch_s = 1'442'880'000;

  Micros min_timestamp_us = no_timestamp;
  Seconds min_local_deletion_time_s = no_deletion_time;
  std::int64_t min_ttl_s = INT64_MAX;
  std::uint64_t columns = 0;  // bit per regular column of the table

  void see(Micros timestamp_us) {
    min_timestamp_us = timestamp_us < min_timestamp_us ? timestamp_us : min_timestamp_us;
  }
  void see_deletion(Seconds s) {
    min_local_deletion_time_s = s < min_local_deletion_time_s ? s : min_local_deletion_time_s;
  }
  void see_ttl(std::int64_t s) { min_ttl_s = s < min_ttl_s ? s : min_ttl_s; }

  Micros timestamp_base() const { return min_timestamp_us == no_timestamp ? timestamp_epoch_us : min_timestamp_us; }
  Seconds deletion_base() const {
    return min_local_deletion_time_s == no_deletion_time ? deletion_epoch_s : min_local_deletion_time_s;
  }
  std::int64_t ttl_base() const { return min_ttl_s == INT64_MAX ? 0 : min_ttl_s; }
};

/// Bytes of one table's rows in one SSTable (storage rules 1.3 to 1.7, 1.9): simple columns, uncompressed.
class RowFormat {
 public:
  RowFormat(const HeaderBases& bases, int clustering_bytes, bool always_long_deletion)
      : timestamp_base_us_(bases.timestamp_base()),
        deletion_base_s_(bases.deletion_base()),
        ttl_base_s_(bases.ttl_base()),
        columns_(bases.columns),
        clustering_bytes_(clustering_bytes),
        live_deletion_bytes_(always_long_deletion ? 12 : 1) {}

  int timestamp_bytes(Micros timestamp_us) const {
    return unsigned_vint_size(static_cast<std::uint64_t>(timestamp_us - timestamp_base_us_));
  }
  int deletion_time_bytes(Seconds s) const {
    return unsigned_vint_size(
        static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(s - deletion_base_s_))));
  }
  int ttl_bytes(std::int64_t ttl_s) const {
    return unsigned_vint_size(
        static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(ttl_s - ttl_base_s_))));
  }
  /// Column subset of a row that has `present` of the header's columns (storage rule 1.6, fewer than 64).
  int subset_bytes(std::uint64_t present) const {
    if ((columns_ & ~present) == 0) return 0;
    std::uint64_t missing = 0;
    int position = 0;
    for (std::uint64_t rest = columns_; rest != 0; rest &= rest - 1, ++position) {
      if ((present & rest & (~rest + 1)) == 0) missing |= std::uint64_t{1} << position;
    }
    return unsigned_vint_size(missing);
  }
  static std::int64_t value_bytes(std::int32_t length, bool fixed_length) {
    if (length == 0) return 0;
    return fixed_length ? length : length + unsigned_vint_size(static_cast<std::uint64_t>(length));
  }
  int clustering_bytes() const { return clustering_bytes_; }
  Micros timestamp_base() const { return timestamp_base_us_; }
  Seconds deletion_base() const { return deletion_base_s_; }

  /// Key, deletion: what comes before the first row.
  std::int64_t partition_header_bytes(std::int64_t key_bytes, bool deleted) const {
    return 2 + key_bytes + (deleted ? 12 : live_deletion_bytes_);
  }
  /// Whole row from its body: flags, clustering, both sizes.
  std::int64_t row_bytes(std::int64_t body, std::int64_t previous) const {
    const int previous_bytes = unsigned_vint_size(static_cast<std::uint64_t>(previous));
    return 1 + clustering_bytes_ + unsigned_vint_size(static_cast<std::uint64_t>(previous_bytes + body)) +
           previous_bytes + body;
  }
  std::int64_t marker_bytes(const MarkerView& marker, std::int64_t previous) const {
    std::int64_t body = 0;
    if (marker.closes) body += deletion_bytes(marker.closed);
    if (marker.opens) body += deletion_bytes(marker.opened);
    return 3 + row_bytes(body, previous);
  }
  std::int64_t deletion_bytes(const Deletion& deletion) const {
    return timestamp_bytes(deletion.timestamp_us) + deletion_time_bytes(deletion.local_deletion_time_s);
  }
  /// What a complex column without deletion costs in a row where another has one (storage rule 1.8).
  static constexpr std::int64_t live_complex_deletion_bytes = 18;

  std::int64_t row_body_bytes(const RowView& row) const {
    std::int64_t body = 0;
    std::uint64_t present = 0;
    if (row.has_liveness) {
      body += timestamp_bytes(row.liveness_us);
      if (row.liveness_ttl_s > 0) body += ttl_bytes(row.liveness_ttl_s) + deletion_time_bytes(row.liveness_expiry_s);
    }
    if (row.has_deletion) body += deletion_bytes(row.deletion);
    for (const CellView& cell : row.cells) {
      present |= std::uint64_t{1} << cell.column;
      body += cell_bytes(row, cell);
    }
    bool any_deletion = false;
    for (const ComplexView& complex : row.complexes) any_deletion = any_deletion || complex.has_deletion;
    for (const ComplexView& complex : row.complexes) {
      present |= std::uint64_t{1} << complex.column;
      if (any_deletion) body += complex.has_deletion ? deletion_bytes(complex.deletion) : live_complex_deletion_bytes;
      body += unsigned_vint_size(complex.cells.size());
      for (const CellView& cell : complex.cells) body += cell_bytes(row, cell) + cell.path_bytes;
    }
    return body + subset_bytes(present);
  }
  std::int64_t cell_bytes(const RowView& row, const CellView& cell) const {
    std::int64_t bytes = 1;
    if (!row.has_liveness || cell.timestamp_us != row.liveness_us) bytes += timestamp_bytes(cell.timestamp_us);
    const bool expiring = cell.kind == CellKind::expiring;
    const bool shares_ttl = expiring && row.has_liveness && row.liveness_ttl_s > 0 &&
                            row.liveness_ttl_s == cell.ttl_s && row.liveness_expiry_s == cell.local_deletion_time_s;
    if (cell.kind != CellKind::live && !shares_ttl) bytes += deletion_time_bytes(cell.local_deletion_time_s);
    if (expiring && !shares_ttl) bytes += ttl_bytes(cell.ttl_s);
    if (cell.kind != CellKind::tombstone) bytes += value_bytes(cell.value_bytes, cell.fixed_length);
    return bytes;
  }

 private:
  Micros timestamp_base_us_ = 0;
  Seconds deletion_base_s_ = 0;
  std::int64_t ttl_base_s_ = 0;
  std::uint64_t columns_ = 0;
  int clustering_bytes_ = 0;
  int live_deletion_bytes_ = 1;
};

}  // namespace windrow
