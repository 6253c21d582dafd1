#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/units.h"
#include "sim/content/census_spread.h"
#include "sim/scenario/scenario.h"

namespace windrow {

/// The partitions that one class of entities fills in one bucket of time.
struct ClassPartitions {
  std::string stream{};
  std::int64_t partitions = 0;
  double rows_per_s = 0;  // of one partition
  std::int64_t rows_per_event = 1;
  Rows rows = 0;  // of the largest of them
  std::int64_t cells = 0;
  Bytes bytes = 0;
};

/// One closed bucket of a table as a single SSTable holds it, uncompressed: what a closed time window comes to.
struct ClosedBucket {
  std::int64_t partitions = 0;
  Bytes bytes = 0;  // of all partitions: Data.db before compression
  Rows rows = 0;
  Spread partition_bytes{};
  Spread partition_rows{};
  Spread partition_cells{};
  double partitions_per_year = 0;
  double rows_per_s = 0;
  bool exact = true;  // else partitions of different sizes are taken to have their class's mean row
  std::vector<ClassPartitions> classes{};  // in the order of the writers
};

/// Which bucket of a writer is looked at: the last one that is over at the end of the run (where none is, what there is
/// of the first), or the one with the most rows of the whole run, the last of equals.
enum class BucketOf { end, most_rows };

/// One bucket of each writer by its own rule. Throws std::invalid_argument for what is not modelled (static
/// collections, …), naming the stream.
ClosedBucket closed_bucket(const Scenario& scenario, int table, BucketOf which = BucketOf::end);

}  // namespace windrow
