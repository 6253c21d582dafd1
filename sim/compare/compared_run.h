#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/compare/grid.h"
#include "sim/record/run_record.h"

namespace windrow {

/// What a comparison keeps of one table.
struct ComparedTable {
  std::string name{};
  std::string strategy{};
  std::map<std::string, double, std::less<>>
      numbers{};                  // those that compared_numbers() lists; none: the table has no such
  Bytes peak_readable_bytes = 0;  // the most at a sample
  std::vector<TableSample> samples{};

  std::optional<double> number(std::string_view which) const;
};

/// A headline number that tables are compared by.
struct ComparedNumber {
  enum class Better { neither, less, more };
  std::string_view name{};   // in the comparison, and, unless `from` says another, in summary.json
  std::string_view label{};  // of its line; empty: in the files only
  Better better = Better::less;
  std::optional<double> (*least)(const ComparedTable&) = nullptr;  // no choice gets below it; null: nothing can be said
  std::string_view from{};
};

/// In the order of the lines and of the columns of compare.csv.
std::span<const ComparedNumber> compared_numbers();

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
  std::optional<double> disk_over_mean{};      // of the fullest node, at its peak; none: no several were run
  std::optional<double> node_max_over_mean{};  // of the busiest node, in its worst hour; none: one node
  bool disk_sizes_known = true;
  std::string not_counted{};  // of all tables

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
