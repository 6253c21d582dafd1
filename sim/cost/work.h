#pragma once

namespace windrow {

// What a run costs, counted: the same scenario gives the same numbers on every machine. An expectation
// (expected_cost.h) and what a run has done (sim/record) are counted and weighed alike.

/// Each in pieces of its own kind.
struct Work {
  double events = 0;          // flushes, compactions, files that are streamed
  double tables = 0;          // that are walked over: all of the node, at each event
  double sub_streams = 0;     // of all tables, at each flush
  double sstables = 0;        // written
  double ordered = 0;         // that make room for one that comes (ones_that_make_room)
  double cohorts = 0;         // read and written
  double met_cohorts = 0;     // of SSTables that may keep from being purged what a compaction reads
  double purged_cohorts = 0;  // read where these are asked about them token by token, on a lattice
  double minutes = 0;         // that drop times lie in, of SSTables whose drop times somebody asks for: of each writer
  double rows = 0;            // of SSTables that are held row by row, or cut at hashed tokens: read and written
  double parts = 0;           // what a cohort has of a bucket: of SSTables cut at hashed tokens, read and written; of
                              // those whose drop times somebody asks for
  double sets = 0;            // 64 partitions each, of cohorts that have some of a bucket's: read and written
  double looked_rows = 0;     // of SSTables whose partitions or sizes no interval tells: looked at as these are written
  double partitions = 0;      // of what compactions read, where the sketch of an SSTable's keys has each
  double samples = 0;         // of a table
  double live_sstables = 0;   // at the samples, all together
  double looks = 0;           // of samples into partitions and SSTables
  double reads = 0;           // kinds of reads at each sample
  double read_partitions = 0;  // that they look at
  double read_pieces = 0;      // of each of these, what is there of its bucket
  double stops = 0;            // of a node, for an outage or a repair: what it holds is compared with others
  double keys = 0;             // made or hashed to see which nodes hold them, or how long they are
  double sketched = 0;         // partitions whose keys are hashed for tokens and sketches: once, whatever holds them

  Work& operator+=(const Work& other);
  friend Work operator*(Work each, double number);
};

/// An SSTable that is met counts as so many of its cohorts, beside them.
constexpr double cohorts_for_being_met = 10;

/// Cohorts of an SSTable that are asked about as one, where a lattice is cut by tokens: what lies between the same
/// tokens, or next to one another (TokensByBucket).
constexpr double cohorts_met_as_one = 8;

/// Of so many live SSTables: the root of those that do not lie at hand. What few others do is in the price of one.
double ones_that_make_room(double live);

/// Minutes of one writer, where a node has those of its rows whose keys hash to it, count as so many.
constexpr double minutes_of_own_rows = 25;
/// A sub-stream that has rows of some slots alone, as of a turn of rolling buckets or of a node's keys, counts as so
/// many.
constexpr double sub_streams_of_own_rows = 5;

/// At the end of a run each cohort of each SSTable is looked at so often: its partitions, and what of it is readable.
constexpr int looks_at_the_end = 2;

/// A step is what one operation of the yardstick takes (bench/hold_model.h: take the earliest of a heap of 100, put a
/// later one): 45 ns on the machine that the prices were measured on, with bench/estimate.cpp.
double steps_of(const Work& work);
inline constexpr double seconds_per_step = 45e-9;

}  // namespace windrow
