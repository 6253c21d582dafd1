#pragma once

#include <limits>
#include <vector>

#include "sim/cost/writes.h"

namespace windrow {

// What of a table lies on what at some time of a run, and what it costs to look at it.

/// Seconds of history that are loaded in a second of a backfill; 1 of what is written as it happens.
double seconds_of_history(const Writer& writer);
double kinds_of(const ExpectedWriter& each);
/// Buckets that so many seconds of a writer's events fall into.
double buckets_in(const ExpectedWriter& each, double seconds);
/// Rows that have come and not expired.
double rows_held(const ExpectedWriter& each, std::size_t piece, double piece_s);

/// After how many seconds something of a writer's rows is dead, and may be purged; infinite: never. `droppable_s`:
/// something that is droppable, and stays as long as older rows of its partitions do.
struct DeadAfter {
  double dead_s = std::numeric_limits<double>::infinity();
  double purged_s = std::numeric_limits<double>::infinity();
  double droppable_s = std::numeric_limits<double>::infinity();
};
DeadAfter dead_after(const ExpectedWriter& each, const TableOptions& options);

/// How a table's SSTables lie on one another, at some time of a run.
struct Layout {
  double live = 1;     // SSTables that compactions have come to
  double waiting = 0;  // flushes that they have not: each has rows of its time alone
  double flushes = 1;  // whose rows they have
  double flushes_of_run = 1;
  double a_flush_s = 0;    // from one flush to the next
  double an_output_s = 0;  // in which the rows of a compaction's output were written
  double oldest_s = 0;     // of a compaction's rows
  bool cut = false;        // by token
  bool hashed = false;
  bool spares_unrepaired = false;  // only_purge_repaired_tombstones
  bool purges = false;             // partition by partition, or between tokens, as others have rows there or not

  bool cut_on_lattice() const { return cut && !hashed; }
};

/// Cut by token, a cohort lies in several SSTables, which others have been merged into.
constexpr double cohorts_of_a_cut = 3.4;

/// Cohorts of a leveled SSTable on a lattice, where flushes that have just come are purged already: each purge leaves
/// borders of its own in tokens and in time, within the buckets that it meets. 0: none is.
double cohorts_between_borders(const std::vector<ExpectedWriter>& writers, double flushes_live,
                               double rows_of_an_output, const TableOptions& options, const Layout& layout);

/// SSTables that have rows of one bucket.
double sstables_of_a_bucket(const ExpectedWriter& each, const Layout& layout);

/// Rows of a writer that something may have been purged from when they were compacted: from then on a bucket's rows in
/// an SSTable are several cohorts, since other SSTables have rows of some of its partitions and not of others.
bool purged_in_part(const ExpectedWriter& each, const TableOptions& options, const Layout& layout);

/// Buckets of each kind of a writer's rows that an SSTable may have rows of which were written within so many seconds:
/// of an SSTable that is cut by token each is asked for.
double parts_of_output(const ExpectedWriter& each, std::size_t piece, double piece_s, double an_output_s);

/// What a look at all partitions of a writer takes: a bucket's are looked at together, kind by kind; those of several
/// shards by themselves. Where some of a bucket's cohorts have not all of its partitions, each partition is looked for
/// in each cohort; on a lattice each cohort is looked at between the tokens at which others of the bucket end.
double looks_at(const ExpectedWriter& each, std::size_t piece, double piece_s, bool in_part, const Layout& layout);

/// Sets of partitions that a purge divides a bucket's rows into, on a lattice: as many as there are flushes that have
/// all partitions, or SSTables that rows between those of an output lie in, of which each keeps what is newer.
double sets_of_a_bucket(const ExpectedWriter& each, double rows_a_flush, const Layout& layout);

/// Cohorts of all SSTables that have rows of one bucket.
double cohorts_of_a_bucket(const ExpectedWriter& each, std::size_t piece, double piece_s, bool in_part,
                           const Layout& layout);

/// A compaction's output in a piece with `n` flushes. `flushes`: that its rows come from.
struct Output {
  double cohorts = 0;
  double set_words = 0;  // Work::sets
};
Output output_of(const std::vector<ExpectedWriter>& writers, std::size_t piece, double n, double flushes,
                 const TableOptions& options, const Layout& layout);

}  // namespace windrow
