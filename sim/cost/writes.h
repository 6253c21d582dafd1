#pragma once

#include <vector>

#include "sim/scenario/scenario.h"
#include "sim/workload/table_workload.h"

namespace windrow {

/// A run in equal pieces: what is expected of it is told piece by piece.
struct Pieces {
  Micros start_us = 0;
  Micros end_us = 0;
  static constexpr int count = 128;
  Micros at(int piece) const {
    return start_us + (end_us - start_us) / count * piece + (end_us - start_us) % count * piece / count;
  }
  double seconds() const { return static_cast<double>(end_us - start_us) / 1e6 / count; }
};

/// One writer, as the mean node has it.
struct ExpectedWriter {
  Writer writer{};
  FateRule fate{};
  bool one_by_one = false;    // its rows are held so
  double turn_s = 0;          // rolling buckets: how long each has its turn; 0: none
  double of_time = 1;         // in which it writes
  double row_heap_bytes = 0;  // of what is nearer to its limit, on or off the heap
  double partition_heap_bytes = 0;
  double row_data_bytes = 0;
  double expired_row_bytes = 0;     // rewritten after it has expired: the dates of its cells
  double partition_data_bytes = 0;  // beside its rows
  double least_row_bytes = 0;       // on disk, of one row
  double most_row_bytes = 0;
  double row_logged_bytes = 0;
  double most_keys = 0;        // that its rows have at once; infinite: each row has its own
  double expires_s = 0;        // until the last of its rows has expired; infinite: some never do
  double kept_s = 0;           // until the last of its rows may be purged; infinite: none is ever
  std::vector<double> rows{};  // that arrive, by pieces; all rows of an event count as one
  double all_rows = 0;         // of all pieces
};

/// What a share's rows are written with; 0: none.
Seconds ttl_of(const FateShare& share, const TableOptions& options);

/// What is written to a table, each writer by itself. Throws what scenario_workload throws; no row is listed but
/// deletes of partitions and ranges.
std::vector<ExpectedWriter> expected_writers(const Scenario& scenario, int table, const Pieces& pieces);

/// Flushes of each table, by pieces: [table][piece].
std::vector<std::vector<double>> expected_flushes(const Scenario& scenario,
                                                  const std::vector<std::vector<ExpectedWriter>>& tables,
                                                  const Pieces& pieces);

}  // namespace windrow
