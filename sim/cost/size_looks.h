#pragma once

#include <vector>

#include "sim/cost/passes.h"
#include "sim/cost/writes.h"
#include "sim/schema/compaction_options.h"
#include "sim/schema/sstable_format.h"

namespace windrow {

/// How often a row that is held in intervals is in an SSTable whose rows are looked at one by one for their sizes
/// (TableStore::measure): each row says how long the one before it is, in one byte or in more, so that where rows of
/// both kinds lie side by side intervals leave bytes in doubt. `rows`: of a flush; `something_dead`: compactions write
/// what is left of dead rows beside others; `most_rows`: of an output that is looked at (flushes: rows_worth_a_look).
struct SizeLooks {
  double in_flushes = 0;
  double in_outputs = 0;  // of compactions
};
SizeLooks looks_for_sizes(const std::vector<ExpectedWriter>& writers, double rows, bool something_dead,
                          double most_rows, const Passes& passes);

/// Somebody asks SSTables when what is in them may be dropped: of so many, as most are merged before a fifth of them
/// may.
bool asks_for_drop_times(const CompactionOptions& options);
constexpr double asked_for_drop_times = 0.2;

/// What an SSTable's drop times and cells are sought in, beside minutes: each bucket that it has rows of so many
/// seconds in, kind by kind (Work::parts). Of a few buckets nothing to speak of.
double parts_for_drop_times(const std::vector<ExpectedWriter>& writers, double seconds);

/// How often a row is in an SSTable of which a rule asks how much lies outside of the others
/// (worth_dropping_tombstones): `da` tells that by the sizes of all partitions, which are looked at row by row
/// (SSTable::keys_by_bytes).
double looks_for_tombstones(const CompactionOptions& options, SSTableFormat format, const Passes& passes);

}  // namespace windrow
