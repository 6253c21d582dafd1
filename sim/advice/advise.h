#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/advice/remedy.h"
#include "sim/record/run_record.h"
#include "sim/resolve/load_scenario.h"

namespace windrow {

/// What running a changed scenario gave.
struct AdviceTrial {
  std::vector<LimitOutcome> limits{};  // of the whole run; empty: there is none
  bool cut = false;                    // it was left out, or given up: it took more than it may
  std::string warned{};                // rules of lint that find in it what they did not find before
  double steps = 0;                    // that it took
};

/// What trials may take, in steps (sim/cost/work.h).
struct TrialBounds {
  double each = 0;      // a trial is given up beyond
  double together = 0;  // none is begun, or counts, after those before it have taken more
};

/// Runs the changed scenarios within bounds; one trial for each remedy, in their order.
using RunRemedies =
    std::function<std::vector<AdviceTrial>(const std::vector<Remedy>& remedies, const TrialBounds& bounds)>;

/// How much may be spent: counted, so that the same run gives the same advice on any machine.
struct AdviceBudget {
  std::size_t remedies_per_limit = 4;
  double few_steps = 0;      // for all remedies, whatever the run itself took
  double times_the_run = 0;  // or so many times the run's steps
  double each_times_the_run = 0;
  bool at_length = false;  // Advice::at_length
  /// Of a run that took so many steps.
  TrialBounds bounds(double run_steps) const;
};
inline constexpr AdviceBudget quick_advice = {
    .remedies_per_limit = 4, .few_steps = 60e6, .times_the_run = 5, .each_times_the_run = 3};
inline constexpr AdviceBudget full_advice = {
    .remedies_per_limit = 12, .few_steps = 1e9, .times_the_run = 30, .each_times_the_run = 10, .at_length = true};

/// Trials in their order, as far as those before each have not taken more than `together`: all others are cut. What was
/// run beside others does not count more than what was not begun, so that any number of threads gives the same.
void cut_beyond(double together, std::vector<AdviceTrial>& trials);

/// The first limit that held in a run and does not after a change: "sstables_max of readings"; empty: there is none.
std::string breaks_another(const RunRecord& run, const std::vector<LimitOutcome>& after);

/// For every broken limit the cause and what came of remedies that may mend it, all of them run: those that hold first.
/// `run_steps`: what the run itself took.
std::vector<Advice> advise(const LoadedScenario& loaded, const RunRecord& record, double run_steps,
                           const AdviceBudget& budget, const RunRemedies& run_remedies);

}  // namespace windrow
