#pragma once

#include "sim/record/run_record.h"

namespace windrow {

/// What the scenario amounts to, as the run had it: where a mistake of a factor of 60 shows before anything else.
struct Understood {
  double rows_per_s = 0;
  double bytes_per_row = 0;     // of Data files, uncompressed, as flushed
  double bytes_per_s_node = 0;  // the same, per second
  double partitions_per_day = 0;
  double flushes_per_day = 0;
  Rows rows_per_partition_p50 = 0;
  Rows rows_per_partition_max = 0;
};

/// Rates while streams write the table.
Understood understood(const TableRecord& table);
/// All tables together, over the whole run; rows per partition of the table with the largest.
Understood understood(const RunRecord& record);

}  // namespace windrow
