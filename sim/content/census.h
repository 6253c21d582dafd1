#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "sim/base/units.h"
#include "sim/content/census_counts.h"
#include "sim/content/content.h"
#include "sim/content/shadows.h"

namespace windrow {

/// The second at which contents are looked at, and the table's gc_grace_seconds then.
struct CensusTime {
  Seconds now_s = 0;
  Seconds gc_grace_s = 0;
  Seconds gc_before_s() const { return now_s - gc_grace_s; }
};

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
