#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/base/units.h"

namespace windrow {

/// What a read or a compaction meets as a tombstone.
enum class TombstoneKind {
  expired_cell,  // expired, its value still on disk
  cell,          // without value: deleted, or expired and rewritten
  liveness,      // row liveness of an expired INSERT
  row,
  range,
  partition,
  collection,  // what a collection written whole replaces
};
inline constexpr std::size_t tombstone_kinds = 7;
std::string_view tombstone_kind_name(TombstoneKind kind);

struct RowBytes {
  Rows rows = 0;
  Bytes bytes = 0;
  void add(const RowBytes& other) {
    rows += other.rows;
    bytes += other.bytes;
  }
};

struct TombstoneTally {
  std::int64_t waiting = 0;    // gc_grace has not passed
  std::int64_t droppable = 0;  // only other files, or that nothing compacts it, keeps it
  Seconds first_drop_s = no_deletion_time;
  Seconds last_drop_s = INT64_MIN;
  void add(const TombstoneTally& other);
};

/// Where the rows of a content stand in their life. Each row is in exactly one place; row, range and partition
/// tombstones count as dead rows.
struct Census {
  RowBytes live{};
  RowBytes waiting{};    // nothing of it is readable, gc_grace has not passed for all of it
  RowBytes purgeable{};  // may go with the next compaction: past gc_grace as a whole, under a tombstone elsewhere, or
                         // second copies
  std::array<TombstoneTally, tombstone_kinds> tombstones{};

  const TombstoneTally& of(TombstoneKind kind) const { return tombstones[static_cast<std::size_t>(kind)]; }
  std::int64_t tombstone_count() const;
  std::int64_t droppable_tombstones() const;
  /// Points of the engine's drop-time histograms up to gcBefore, uncounted by bins: what its droppable ratio divides by
  /// cells. An expired cell counts from expiry + gc_grace on there, though it may go earlier.
  std::int64_t dated_before_gc = 0;
  void add(const Census& other);
};

}  // namespace windrow
