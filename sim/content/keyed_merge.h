#pragma once

#include <functional>
#include <span>

#include "sim/content/keyed_content.h"
#include "sim/workload/table_workload.h"

namespace windrow {

/// Adds the content of `from` to `into` (Rows.merge): nothing is shadowed yet. Ties are settled as in
/// Cells.resolveRegular and LivenessInfo.supersedes, Cassandra 5.0.9 (rule 3.4).
void merge_partition(KeyedPartition& into, const KeyedPartition& from, const TableWorkload& workload);

/// Removes what partition deletion, ranges and row deletions shadow (rule 3.4).
void shadow(KeyedPartition& partition);

/// What a compaction may purge.
struct PurgeTimes {
  Seconds now_s = 0;
  Seconds gc_before_s = 0;
};

/// Purges and converts (BTreeRow.purge, AbstractCell.purge; rule 3.6). `earliest` answers once, when first needed: the
/// evaluator's minimum timestamp of rule 3.7.
void purge_partition(KeyedPartition& partition, const PurgeTimes& times, const std::function<Micros()>& earliest);

/// One content from several, shadowed; by token.
KeyedContent merge_keyed(std::span<const KeyedContent* const> inputs, const TableWorkload& workload);

/// Partition by token, or null.
const KeyedPartition* find_partition(const KeyedContent& content, Token token);

}  // namespace windrow
