#include "sim/cli/safe_bound_trials.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <stdexcept>

#include "sim/advice/advise.h"
#include "sim/advice/safe_bounds.h"
#include "sim/cli/prevention.h"
#include "sim/words/scenario_error.h"

namespace windrow {

void find_safe_bounds(const PreparedRun& prepared, const std::vector<std::string>& assignments, AdviceSearch advice,
                      const Advance& advance, const Step& phase, RunRecord& record) {
  if (advice == AdviceSearch::off || !record.faults) return;
  std::vector<BoundQuestion> questions = bound_questions(prepared.scenario, *record.faults);
  // Instants at which all nodes are stopped cost something by themselves, and more where rows go between the numbers of
  // nodes that hold different ones.
  constexpr double of_stops = 100'000;
  const auto& centers = prepared.scenario.data_centers;
  const bool differ =
      std::ranges::any_of(centers, [](const DataCenter& center) { return center.nodes > center.replication_factor; });
  const double of_a_run = (recorded_steps(record) + of_stops * record.faults->nodes) * (differ ? 12 : 1);
  double steps = (advice == AdviceSearch::full ? full_advice : quick_advice).few_steps;
  std::size_t left_out = 0;
  std::erase_if(questions, [&](const BoundQuestion& question) {
    const double needs = of_a_run * question.most_runs();
    if (needs > steps) {
      ++left_out;
      return true;
    }
    steps -= needs;
    return false;
  });
  std::vector<std::optional<SafeBound>> bounds(questions.size());
  TrialCount count(advance, phase, {"how far repairs and gc_grace can go"});
  const PlayBound play_bound = [&](const std::vector<std::string>& over,
                                   const std::vector<int>& tables) -> std::optional<BoundTrial> {
    try {
      count.begin_trial(0);
      const std::optional<FaultRecord> faults = faults_with(prepared, over, assignments);
      if (!faults) return std::nullopt;
      return bound_trial(prepared.scenario, *faults, tables);
    } catch (const ScenarioError&) {          // the schema gives an option as a map that --set cannot reach
    } catch (const std::invalid_argument&) {  // nobody can play it
    } catch (const std::length_error&) {
    }
    return std::nullopt;
  };
  const AtOnce at_once = [](std::size_t all, const std::function<void(std::size_t)>& work) {
    tbb::parallel_for(std::size_t{0}, all, work);
  };
  at_once(questions.size(),
          [&](std::size_t i) { bounds[i] = find_safe_bound(prepared.scenario, questions[i], play_bound, at_once); });
  auto faults = std::make_shared<FaultRecord>(*record.faults);
  for (std::optional<SafeBound>& bound : bounds) {
    if (bound) faults->safe_bounds.push_back(std::move(*bound));
  }
  if (left_out > 0)
    faults->safe_bounds_note =
        fmt::format("{} of the repair intervals and gc_graces were not searched for how far they can go: {}", left_out,
                    advice == AdviceSearch::full ? "it takes longer than --advice full may" : "--advice full");
  record.faults = std::move(faults);
}

}  // namespace windrow
