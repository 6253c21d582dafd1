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
  bool cut = false;                    // it took more than `most_work`
  std::string warned{};                // rules of lint that find in it what they did not find before
};

/// Runs the changed scenarios, each to its end or until its work (RunRecord::work) is above `most_work`; one trial for
/// each remedy, in their order.
using RunRemedies =
    std::function<std::vector<AdviceTrial>(const std::vector<Remedy>& remedies, std::int64_t most_work)>;

/// How much may be spent: counted, so that the same run gives the same advice on any machine.
struct AdviceBudget {
  std::size_t remedies_per_limit = 4;
  std::int64_t work = 0;  // of all remedies of a run together, estimated from the run's own; 0: any
};
inline constexpr AdviceBudget quick_advice = {.remedies_per_limit = 4, .work = 2'500'000};
inline constexpr AdviceBudget full_advice = {.remedies_per_limit = 6, .work = 0};

/// The first limit that held in a run and does not after a change: "sstables_max of readings"; empty: there is none.
std::string breaks_another(const RunRecord& run, const std::vector<LimitOutcome>& after);

/// For every broken limit the cause and what came of remedies that may mend it, all of them run: those that hold first.
std::vector<Advice> advise(const LoadedScenario& loaded, const RunRecord& record, const AdviceBudget& budget,
                           const RunRemedies& run_remedies);

}  // namespace windrow
