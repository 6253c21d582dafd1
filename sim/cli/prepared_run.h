#pragma once

#include <boost/program_options.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/trial_count.h"
#include "sim/cost/expected_cost.h"
#include "sim/record/recorder.h"
#include "sim/resolve/load_scenario.h"
#include "sim/resolve/resolved_ini.h"

namespace windrow {

/// A scenario that can run. Every mistake in it has been found.
struct PreparedRun {
  std::string file{};
  LoadedScenario loaded{};
  Scenario scenario{};     // that runs: of the loaded one, with months split
  std::string resolved{};  // scenario.ini of its results
  std::vector<StoredInput> inputs{};
  ExpectedCost expected{};  // empty: not asked for (expect_cost)
};

/// Reads a scenario and the files beside it; `assignments` go over its values. Throws UserError and ScenarioError.
PreparedRun prepare_run(const std::string& file, const std::vector<std::string>& assignments);

/// Finds out what the run will cost, for its progress. Returns how long it will take and why, if that is above a
/// minute.
std::string expect_cost(PreparedRun& prepared);

/// Runs it, as the first of so many phases; nothing if somebody asked to stop before its end. Throws UserError. The
/// record points into `prepared`.
std::optional<RunRecord> simulate(const PreparedRun& prepared, const Recorder::Options& recorded,
                                  const Advance& advance, int phases = 1);

/// Steps that a recorder has counted, of all nodes: of those of which one is watched each counts like it.
double recorded_steps(const RunRecord& record);
/// What a run took, in steps (sim/cost/work.h).
double steps_of_run(const PreparedRun& prepared, const RunRecord& record);

/// How far to look for the safe growth factor: `off`, `short` (as far as an ordinary run should cost), `full`.
enum class GrowthSearch { off, brief, full };
void add_growth_option(boost::program_options::options_description& options, const char* without);
/// Throws UserError.
GrowthSearch growth_search(const boost::program_options::variables_map& options, GrowthSearch without);

/// --fail-on limit|never: whether a broken limit is exit code 1.
void add_fail_on_option(boost::program_options::options_description& options);
/// Throws UserError.
bool fails_on_limits(const boost::program_options::variables_map& options);
/// exit_disagrees if it counts and one of the limits is broken, else exit_well.
int exit_of_limits(bool fails, const std::vector<LimitOutcome>& limits);

/// A search of a TrialCount.
struct CountedSearch {
  TrialCount* count = nullptr;
  std::size_t number = 0;
};
/// Nothing with `off`.
SafeGrowth find_growth(const PreparedRun& prepared, GrowthSearch search, const RunRecord& record,
                       const CountedSearch& counted = {});
/// Fills record.growth; nothing to do with `off`.
void search_growth(const PreparedRun& prepared, GrowthSearch search, RunRecord& record);

}  // namespace windrow
