#include "sim/cli/advice_trials.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>

#include <atomic>
#include <filesystem>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "sim/advice/advise.h"
#include "sim/cli/command.h"
#include "sim/cli/files.h"
#include "sim/cli/scenario_files.h"
#include "sim/cluster/cluster.h"
#include "sim/cost/expected_cost.h"
#include "sim/engine/node.h"
#include "sim/lint/lint.h"
#include "sim/load/cluster_load.h"
#include "sim/nodes/cluster_run.h"
#include "sim/resolve/not_modelled.h"
#include "sim/resolve/table_months.h"
#include "sim/results/faults.h"
#include "sim/results/node_limit.h"
#include "sim/scenario/node_count.h"
#include "sim/words/scenario_error.h"

namespace windrow {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

ReadFile files_with(const std::string& scenario, const Remedy& remedy) {
  return [read = files_beside(scenario), &remedy](const std::string& name) -> std::optional<std::string> {
    std::optional<std::string> text = read(name);
    if (!text || !remedy.key_column) return text;
    return with_key_column(*text, *remedy.key_column).value_or(*text);
  };
}

/// Within so many steps. Of nodes of which one is watched, each counts like it.
AdviceTrial played(const Scenario& scenario, double most_steps, TrialCount& count) {
  constexpr RecordOptions recorded{.all = false, .only_limits = true};
  const double before = steps_not_recorded(expected_cost(scenario));
  const AdviceTrial beyond{.cut = true, .steps = before > most_steps ? 0 : most_steps};
  if (before > most_steps) return beyond;
  const auto goes_on = [&] {
    count.look();
    return !stop_requested();
  };
  std::shared_ptr<const ClusterLoad> load;
  if (scenario.ring) load = std::make_shared<const ClusterLoad>(scenario);
  std::shared_ptr<const FaultRecord> faults;
  RunRecord record;
  if (has_faults(scenario)) {
    Recorder recorder(scenario, {}, recorded);
    const auto most_work = static_cast<std::int64_t>((most_steps - before) / node_count(scenario.data_centers));
    const RunOptions options{.go_on = [&](Micros) { return recorder.work() <= most_work && goes_on(); }};
    faults = std::make_shared<const FaultRecord>(play_cluster(scenario, recorder, options));
    record = recorder.take();
  } else {
    const GoOn go_on = [&](std::size_t, Micros) { return goes_on(); };
    record =
        run_cluster(scenario, load, {}, recorded, go_on, in_turn, {}, static_cast<std::int64_t>(most_steps - before));
  }
  if (!record.complete) return beyond;
  record.load = std::move(load);
  if (record.load) judge_load(record);
  record.faults = std::move(faults);
  if (record.faults) judge_faults(record);
  return {.limits = std::move(record.limits), .steps = before + recorded_steps(record)};
}

/// Tables and rules of which lint warns.
using Warnings = std::set<std::pair<std::string, std::string_view>>;

Warnings warnings_of(const LoadedScenario& loaded) {
  Warnings warnings;
  for (const Finding& finding : lint_scenario(loaded)) {
    if (finding.rule->severity != Severity::note) warnings.emplace(finding.table, finding.rule->id);
  }
  return warnings;
}

/// What lint forbids is not advised.
std::string new_warnings(const Warnings& before, const LoadedScenario& after) {
  std::set<std::string_view> rules;
  for (const auto& warning : warnings_of(after)) {
    if (!before.contains(warning)) rules.insert(warning.second);
  }
  return fmt::format("{}", fmt::join(rules, ", "));
}

/// A scenario that cannot be is no trial.
AdviceTrial run_trial(const std::string& file, const std::vector<std::string>& assignments, const Remedy& remedy,
                      const Warnings& before, double most_steps, TrialCount& count) {
  std::vector<std::string> all = assignments;
  all.insert(all.end(), remedy.judged_by.begin(), remedy.judged_by.end());
  all.insert(all.end(), remedy.settings.begin(), remedy.settings.end());
  try {
    LoadedScenario loaded = load_scenario(file, read_text_file(file), all, files_with(file, remedy));
    refuse_what_is_not_modelled(loaded);
    std::string warned = new_warnings(before, loaded);
    split_months(loaded.scenario);
    AdviceTrial trial = played(loaded.scenario, most_steps, count);
    trial.warned = std::move(warned);
    return trial;
  } catch (const ScenarioError&) {
  } catch (const std::invalid_argument&) {
  } catch (const std::length_error&) {
  }
  return {};
}

/// Steps of trials that have ended.
class TakenBefore {
 public:
  explicit TakenBefore(std::size_t trials) : steps_(trials, 0.0) {}
  double before(std::size_t trial) {
    const std::scoped_lock lock(mutex_);
    return std::accumulate(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(trial), 0.0);
  }
  void take(std::size_t trial, double steps) {
    const std::scoped_lock lock(mutex_);
    steps_[trial] = steps;
  }

 private:
  std::mutex mutex_{};
  std::vector<double> steps_;
};

}  // namespace

void add_advice_option(po::options_description& options) {
  options.add_options()("advice", po::value<std::string>()->value_name("HOW")->default_value("quick"),
                        "off, quick, full: how many fixes of each broken limit are run to see what comes of them");
}

AdviceSearch advice_search(const po::variables_map& options) {
  const auto& how = options["advice"].as<std::string>();
  if (how == "off") return AdviceSearch::off;
  if (how == "quick") return AdviceSearch::quick;
  if (how == "full") return AdviceSearch::full;
  throw UserError(fmt::format("--advice {}: accepts off, quick, full", how));
}

void search_beside(const PreparedRun& prepared, GrowthSearch growth, const std::vector<std::string>& assignments,
                   AdviceSearch advice, const Advance& advance, const Step& phase, RunRecord& record) {
  constexpr std::size_t of_growth = 0;
  constexpr std::size_t of_fixes = 1;
  TrialCount count(advance, phase, {"safe growth", "fixes"});
  if (growth == GrowthSearch::off) count.end_search(of_growth);
  if (advice == AdviceSearch::off) count.end_search(of_fixes);
  const auto run_all = [&](const std::vector<Remedy>& remedies, const TrialBounds& bounds) {
    std::vector<AdviceTrial> trials(remedies.size());
    const Warnings before = remedies.empty() ? Warnings() : warnings_of(prepared.loaded);
    count.expect(of_fixes, remedies.size());
    TakenBefore taken(remedies.size());
    std::atomic<std::size_t> next = 0;
    const auto run_next = [&](std::size_t) {
      const std::size_t i = next++;  // in their order, whatever the scheduler's is
      if (taken.before(i) > bounds.together) {
        trials[i].cut = true;
      } else if (!stop_requested()) {
        trials[i] = run_trial(prepared.file, assignments, remedies[i], before, bounds.each, count);
        taken.take(i, trials[i].steps);
      }
      count.end_trial(of_fixes);
    };
    tbb::parallel_for(std::size_t{0}, remedies.size(), run_next);
    return trials;
  };
  // Each reads the record and writes what is its own.
  SafeGrowth found;
  std::vector<Advice> advised;
  tbb::parallel_invoke(
      [&] {
        found = find_growth(prepared, growth, record, {&count, of_growth});
        count.end_search(of_growth);
      },
      [&] {
        if (advice == AdviceSearch::off) return;
        const AdviceBudget& budget = advice == AdviceSearch::full ? full_advice : quick_advice;
        advised = advise(prepared.loaded, record, steps_of_run(prepared, record), budget, run_all);
        count.end_search(of_fixes);
      });
  record.growth = std::move(found);
  record.advice = std::move(advised);
}

}  // namespace windrow
