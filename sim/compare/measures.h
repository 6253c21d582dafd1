#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/compare/compared_run.h"

namespace windrow {

/// One line of a comparison: what is measured, and its value in each run.
struct Measure {
  using Better = ComparedNumber::Better;
  struct Value {
    std::optional<double> number{};  // none: this run has no such thing
    bool broken = false;             // beyond its limit
  };
  std::string name{};
  Unit unit = Unit::count;  // or bytes, a share, days, seconds
  bool verdict = false;     // a number of broken limits
  Better better = Better::neither;
  std::vector<Value> values{};    // in the order of the runs
  std::optional<double> bound{};  // of a limit; none if the runs have different ones
  std::optional<double> least{};  // what no choice can get below, where that can be said

  /// Baselines are no choice: `contender` says which runs count. Within half a percent runs are alike,
  /// and nothing is best where all are.
  /// Nor where no choice uses half of what a limit allows.
  bool is_best(std::size_t run, const std::vector<bool>& contender) const;
  /// The same in all runs, within half a percent, and never beyond a limit.
  bool all_alike() const;
};

/// Measures that belong together: those of the limits, then those of each table.
struct MeasureGroup {
  std::string title{};
  std::vector<Measure> measures{};
};

/// Tables that are compared with each other.
struct ComparedTables {
  std::string title{};
  std::vector<const ComparedTable*> of_run{};  // nullptr where a run has none of them
};

/// Runs with one table each are compared whatever their tables are called; else tables of the same name are.
std::vector<ComparedTables> compared_tables(const std::vector<ComparedRun>& runs);

/// One unit for a whole line, so that its numbers can be compared at a glance.
struct LineUnit {
  std::string name{};
  double size = 1;
};
LineUnit line_unit(const Measure& measure);
/// Name, bound and unit: "partition_size_max ≤ 100 MiB, KiB".
std::string measure_label(const Measure& measure, const LineUnit& unit);

/// Of the limits, then of the tables in the order of compared_tables().
std::vector<MeasureGroup> measures_of(const std::vector<ComparedRun>& runs);

}  // namespace windrow
