#pragma once

#include <limits>

#include "sim/base/units.h"
#include "sim/schema/table_options.h"

namespace windrow {

/// What a table's strategy has to do with, at some time of a run.
struct Compacted {
  double flush_bytes = 0;    // on disk, of one flush
  double lasting_bytes = 0;  // what is left of these as long as its rows are kept, in the mean: some have expired
  double flushes_live = 0;   // whose rows have neither expired nor been deleted
  double flushes_readable = std::numeric_limits<double>::infinity();  // since the oldest row that has not expired
  double flushes_a_window = 0;                                        // of TimeWindowCompactionStrategy
  bool expires = false;                                               // rows have a TTL, or are deleted
};

/// What comes of a flush, in the mean of many.
struct Passes {
  double compactions = 0;
  double written = 1;     // SSTables: what the flush gives, and what compactions write
  double read = 0;        // SSTables
  double of_a_row = 1;    // how often each row is written
  double in_level_0 = 0;  // of these, into the one SSTable that level 0 alone is merged to: it is not cut
  double live = 1;        // SSTables of the table, at that time
  double waiting = 0;     // of its flushes, beside these: compactions have not come to them (sim/cost/backlog.h)
  bool cut_by_token = false;
  bool several = false;  // SSTables that one compaction gives: only then anything is cut
};

/// As the compaction strategies of Cassandra 5.0.9 work once they keep up: each level of a size-tiered table is
/// `min_threshold` times the one before, a leveled one's `fanout_size` times, a unified one's its scaling parameter. By
/// counting, without looking at any SSTable: good to a factor of two or so.
Passes expected_passes(const CompactionOptions& options, const Compacted& table);

/// Adds that each SSTable is rewritten by itself so many times from one flush to the next.
void add_rewrites(Passes& passes, double rewrites, const Compacted& table);

}  // namespace windrow
