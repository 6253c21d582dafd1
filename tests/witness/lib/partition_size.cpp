#include <set>

#include "sim/stats/vint.h"
#include "tests/witness/lib/sstable.h"

namespace windrow::witness {
namespace {

// One header byte and eight of the bigint.
constexpr Bytes clustering_bytes = 9;

Bytes vint(std::int64_t x) { return unsigned_vint_size(static_cast<std::uint64_t>(x)); }

class Sizes {
 public:
  explicit Sizes(const Header& header) : header_(header) {}

  Bytes row(const Row& row, Bytes from_previous) const {
    Bytes body = 0;
    if (row.liveness) {
      body += timestamp(row.liveness->timestamp_us);
      if (row.liveness->expiring()) body += ttl(row.liveness->ttl_s) + deletion_time(row.liveness->expires_s);
    }
    if (row.deletion) body += deletion(*row.deletion);
    body += missing_columns(row);
    for (const Cell& each : row.cells) body += cell(each, row.liveness);
    if (has_complex(row)) {
      if (row.complex->deletion) body += deletion(*row.complex->deletion);
      body += vint(static_cast<std::int64_t>(row.complex->cells.size()));
      for (const Cell& each : row.complex->cells) body += cell(each, row.liveness) + Complex::path_bytes;
    }
    return 1 + clustering_bytes + sized(body, from_previous);
  }

  /// In every partition of a file whose header has static columns: two bytes of flags, no clustering.
  Bytes static_row(const Row& row) const {
    if (header_.statics.empty()) return 0;
    Bytes body = missing(row, header_.statics);
    for (const Cell& each : row.cells) body += cell(each, std::nullopt);
    return 2 + sized(body, 0);
  }

  /// A bound has one deletion, a boundary two.
  Bytes marker(Bytes deletions, Bytes from_previous) const {
    return 1 + 1 + 2 + clustering_bytes + sized(deletions, from_previous);
  }

  Bytes deletion(const Deletion& deletion) const {
    return timestamp(deletion.timestamp_us) + deletion_time(deletion.local_deletion_time_s);
  }

 private:
  static Bytes sized(Bytes body, Bytes from_previous) {
    const Bytes counted = vint(from_previous) + body;
    return vint(counted) + counted;
  }
  Bytes timestamp(Micros timestamp_us) const { return vint(timestamp_us - header_.min_timestamp_us); }
  // The engine casts these differences to 32 bits: below zero they cost nine bytes.
  Bytes deletion_time(Seconds at_s) const {
    return vint(static_cast<std::int32_t>(at_s - header_.min_local_deletion_time_s));
  }
  Bytes ttl(Seconds ttl_s) const { return vint(static_cast<std::int32_t>(ttl_s - header_.min_ttl_s)); }

  static bool has_complex(const Row& row) { return row.complex && !row.complex->empty(); }

  Bytes missing_columns(const Row& row) const { return missing(row, header_.columns); }
  static Bytes missing(const Row& row, const std::set<int>& columns) {
    if (row.cells.size() + (has_complex(row) ? 1 : 0) == columns.size()) return 0;
    std::uint64_t missing = 0;
    std::size_t index = 0;
    auto cell = row.cells.begin();
    for (const int place : columns) {
      const bool present = cell != row.cells.end() && cell->place == place;
      if (present)
        ++cell;
      else if (!has_complex(row) || row.complex->place != place)
        missing |= std::uint64_t{1} << index;
      ++index;
    }
    return unsigned_vint_size(missing);
  }

  Bytes cell(const Cell& cell, const std::optional<Liveness>& liveness) const {
    Bytes bytes = 1;
    if (!liveness || liveness->timestamp_us != cell.timestamp_us) bytes += timestamp(cell.timestamp_us);
    const bool shares_ttl = cell.expiring() && liveness && liveness->expiring() && liveness->ttl_s == cell.ttl_s &&
                            liveness->expires_s == cell.local_deletion_time_s;
    if ((cell.tombstone || cell.expiring()) && !shares_ttl) bytes += deletion_time(cell.local_deletion_time_s);
    if (cell.expiring() && !shares_ttl) bytes += ttl(cell.ttl_s);
    const Bytes value = cell.tombstone ? 0 : cell.value.size();
    return value > 0 ? bytes + vint(value) + value : bytes;
  }

  const Header& header_;
};

}  // namespace

Bytes partition_size(const FileFormat& format, const Header& header, const Partition& partition) {
  const Sizes sizes(header);
  const bool long_deletion = format.version == "nb" || partition.deletion;
  Bytes bytes = 2 + static_cast<Bytes>(partition.key->text.size()) + (long_deletion ? 12 : 1);
  bytes += sizes.static_row(partition.statics);
  Bytes previous = 0;  // where the previous row or marker began
  const auto append = [&](Bytes size) {
    previous = bytes;
    bytes += size;
  };
  auto range = partition.ranges.begin();
  bool open = false;
  // Writes the markers at or before a clustering: a range that begins where another ends shares a boundary with it.
  const auto markers_until = [&](std::int64_t clustering) {
    while (range != partition.ranges.end()) {
      const std::int64_t at = open ? range->to : range->from;
      if (at > clustering) return;
      Bytes deletions = sizes.deletion(range->deletion);
      if (open) {
        ++range;
        open = range != partition.ranges.end() && range->from == at;
        if (open) deletions += sizes.deletion(range->deletion);
      } else {
        open = true;
      }
      append(sizes.marker(deletions, bytes - previous));
    }
  };
  for (const Row& row : partition.rows) {
    markers_until(row.clustering);
    append(sizes.row(row, bytes - previous));
  }
  markers_until(std::numeric_limits<std::int64_t>::max());
  return bytes + 1;
}

}  // namespace windrow::witness
