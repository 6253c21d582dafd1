#pragma once

#include <functional>
#include <span>

#include "sim/content/keyed_content.h"
#include "sim/workload/table_workload.h"

namespace windrow {

/// Orders the values of two cells of one column, byte by byte: below, at or above 0.
using CompareValues = std::function<int(const KeyedCell&, const KeyedCell&)>;

/// Of cells whose writes a workload makes.
CompareValues values_of(const TableWorkload& workload);

/// Adds the content of `from` to `into` (Rows.merge): nothing is shadowed yet. Ties are settled as in
/// Cells.resolveRegular and LivenessInfo.supersedes, Cassandra 5.0.9 (rule 3.4).
void merge_partition(KeyedPartition& into, const KeyedPartition& from, const CompareValues& values);

/// Removes what partition deletion, ranges and row deletions shadow (rule 3.4).
void shadow(KeyedPartition& partition);

/// What a compaction may purge.
struct PurgeTimes {
  Seconds now_s = 0;
  Seconds gc_before_s = 0;
};

/// A gc_before where purging is switched off: expired cells still become tombstones. Its microseconds fit.
inline constexpr Seconds never_purged_s = -1'000'000'000'000;

/// How the engine purges. A test turns one and expects a recording to notice.
struct PurgeRules {
  bool expired_cells_date_from_write = true;  // an expired cell is purged as if deleted when it was written
  bool liveness_dates_from_expiry = true;
  bool at_equality = false;  // what died at gc_before itself goes too
};

/// Purges and converts (BTreeRow.purge, AbstractCell.purge; rule 3.6). `earliest` answers once, when first needed: the
/// evaluator's minimum timestamp of rule 3.7.
void purge_partition(KeyedPartition& partition, const PurgeTimes& times, const std::function<Micros()>& earliest,
                     const PurgeRules& rules = {});

/// Purges each partition; `earliest` as above, of the partition. Those of which nothing is left go.
void purge_keyed(KeyedContent& content, const PurgeTimes& times,
                 const std::function<Micros(const KeyedPartition&)>& earliest, const PurgeRules& rules = {});

/// One content from several, shadowed; by token.
KeyedContent merge_keyed(std::span<const KeyedContent* const> inputs, const CompareValues& values);

/// Partition by token, or null.
const KeyedPartition* find_partition(const KeyedContent& content, Token token);

}  // namespace windrow
