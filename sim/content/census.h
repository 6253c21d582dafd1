#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "sim/base/units.h"
#include "sim/content/content.h"
#include "sim/content/shadows.h"

namespace windrow {

/// The second at which contents are looked at, and the table's gc_grace_seconds then.
struct CensusTime {
  Seconds now_s = 0;
  Seconds gc_grace_s = 0;
  Seconds gc_before_s() const { return now_s - gc_grace_s; }
};

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

/// Tombstones of one kind that follow from neighbouring rows of a cohort: member j's is dated arrival_s(j) + dated_s
/// (its local deletion time) and may be dropped from arrival_s(j) + drop_s on (rules 3.5, 3.6a). `sub` is null for one
/// that stands alone: then both are points in time.
struct TombstoneRun {
  TombstoneKind kind = TombstoneKind::cell;
  const SubStream* sub = nullptr;
  std::int64_t from = 0;  // members
  std::int64_t to = 0;
  Seconds dated_s = 0;
  Seconds drop_s = 0;
  double per_member = 1;
};

/// Shows every tombstone that there is at that second.
void each_tombstone_run(const ContentSpace& space, const Content& content, const CensusTime& time,
                        const std::function<void(const TombstoneRun&)>& each);

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

/// By arithmetic, per cohort; partitions held row by row are walked. `bytes` is what the content takes on disk; it is
/// shared out by rows, each weighing what the mean row of its cohort does. `shadows` are those of the whole table.
/// `duplicates` are rows that another file has as well (duplicates_in), and that count there: here they may go with the
/// next compaction. Their tombstones are on disk twice, and counted as they lie there.
Census take_census(const ContentSpace& space, const Content& content, const CensusTime& time, Bytes bytes,
                   const Shadows& shadows = {}, std::span<const Cohort> duplicates = {});

/// Bytes of an uncompressed row of this cohort at member `j`, every value of its mean size.
double typical_row_bytes(const ContentSpace& space, const Cohort& cohort, const RowFormat& format, std::int64_t j);

/// Cells of each of its rows.
std::int64_t cells_of_row(const ContentSpace& space, const Cohort& cohort);

}  // namespace windrow
