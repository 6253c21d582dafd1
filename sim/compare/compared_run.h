#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/compare/grid.h"
#include "sim/record/run_record.h"

namespace windrow {

/// What a comparison keeps of one table.
struct ComparedTable {
  std::string name{};
  std::string strategy{};
  double partitions_per_day = 0;
  Bytes partition_bytes_p50 = 0;
  Bytes partition_bytes_p99 = 0;
  Bytes partition_bytes_max = 0;
  Bytes peak_disk_bytes = 0;
  Bytes live_bytes = 0;           // at the end
  Bytes readable_bytes = 0;       // of these
  Bytes peak_readable_bytes = 0;  // the most at a sample
  std::int64_t live_sstables = 0;
  std::int64_t peak_sstables = 0;
  double write_amplification = 1;
  std::optional<double> space_amplification{};
  Bytes blocked_bytes = 0;
  Bytes peak_blocked_bytes = 0;
  Bytes off_heap_bytes = 0;
  std::vector<TableSample> samples{};
};

/// What a comparison keeps of one run: nothing in it points anywhere.
struct ComparedRun {
  std::string scenario{};
  std::string version{};  // of who ran it
  std::vector<Choice> choices{};
  bool baseline = false;  // compaction is switched off
  Micros start_us = 0;
  Micros end_us = 0;
  Bytes peak_disk_bytes = 0;  // of the node
  std::vector<LimitOutcome> limits{};
  std::vector<ComparedTable> tables{};
  std::optional<double> growth_factor_safe{};
  bool disk_sizes_known = true;

  std::int64_t limits_measured() const;
  std::int64_t limits_broken() const;
  std::optional<Micros> first_breach_us() const;
};

ComparedRun compared_run(const RunRecord& record);

/// What tells the runs apart, no two alike: with the names of what varies ("bucket day, compaction_window_size 7"), and
/// without
/// ("day, 7"). Baselines are "none"; scenarios are named where there are several.
struct RunLabels {
  std::vector<std::string> named{};
  std::vector<std::string> plain{};
};
RunLabels run_labels(const std::vector<ComparedRun>& runs);

}  // namespace windrow
