#include "sim/cli/prepared_run.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <numeric>
#include <stdexcept>

#include "sim/base/check.h"
#include "sim/cli/command.h"
#include "sim/cli/files.h"
#include "sim/cli/result_folder.h"
#include "sim/cli/scenario_files.h"
#include "sim/cluster/cluster.h"
#include "sim/engine/node.h"
#include "sim/growth/safe_growth.h"
#include "sim/load/cluster_load.h"
#include "sim/nodes/cluster_run.h"
#include "sim/resolve/endless.h"
#include "sim/resolve/not_modelled.h"
#include "sim/resolve/scaled_rates.h"
#include "sim/resolve/table_months.h"
#include "sim/results/faults.h"
#include "sim/results/node_limit.h"
#include "sim/stats/murmur3.h"
#include "sim/words/scenario_error.h"

namespace windrow {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

/// How far the runs of a scenario's nodes are, together.
class NodesProgress {
 public:
  NodesProgress(const Advance& advance, int phases) : advance_(advance), phases_(phases) {}
  void expect(std::size_t runs) { shares_.assign(runs, 0.0); }
  void at(std::size_t run, double share) {
    const std::scoped_lock lock(mutex_);
    shares_[run] = share;
    advance_({.share = std::accumulate(shares_.begin(), shares_.end(), 0.0) / static_cast<double>(shares_.size()),
              .phases = phases_,
              .doing = "the run"});
  }

 private:
  const Advance& advance_;
  int phases_ = 1;
  std::mutex mutex_{};
  std::vector<double> shares_ = {0.0};
};

/// Names the content of a scenario and of all its files.
std::string hash_of(const PreparedRun& prepared) {
  std::string all = prepared.resolved;
  for (const StoredInput& input : prepared.inputs)
    all += fmt::format("\n{} {}\n{}", input.path, input.text.size(), input.text);
  return fmt::format("{:016x}", static_cast<std::uint64_t>(murmur3_token(all)));
}

}  // namespace

PreparedRun prepare_run(const std::string& file, const std::vector<std::string>& assignments) {
  PreparedRun prepared;
  prepared.file = file;
  prepared.loaded = load_scenario(file, read_text_file(file), assignments, files_beside(file));
  refuse_what_is_not_modelled(prepared.loaded);
  refuse_what_does_not_end(prepared.loaded);
  prepared.scenario = prepared.loaded.scenario;
  split_months(prepared.scenario);
  prepared.resolved = fmt::format("{}\n\n{}", result_mark, resolved_ini(prepared.loaded));
  prepared.inputs = stored_inputs(prepared.loaded);
  return prepared;
}

/// What the engine refuses before its first instant: where all nodes are one, it is asked before a run is said to take
/// long.
static void refuse_at_once(const PreparedRun& prepared) {
  const Scenario& scenario = prepared.scenario;
  if (scenario.ring || has_faults(scenario)) return;
  try {
    RunObserver nobody;
    const Workloads workloads = make_workloads(scenario);
    const RunOptions options;
    const Node node(scenario, workloads, nobody, options);
  } catch (const std::invalid_argument& error) {
    throw UserError(fmt::format("{}: {}", prepared.file, error.what()));
  } catch (const std::length_error& error) {
    throw UserError(fmt::format("{}: {}", prepared.file, error.what()));
  }
}

std::string expect_cost(PreparedRun& prepared) {
  try {
    prepared.expected = expected_cost(prepared.scenario);
  } catch (const std::invalid_argument&) {  // the run says why it cannot be
    return {};
  } catch (const std::length_error&) {
    return {};
  }
  std::string why = why_it_takes_long(prepared.scenario, prepared.expected);
  if (!why.empty()) refuse_at_once(prepared);
  return why;
}

std::optional<RunRecord> simulate(const PreparedRun& prepared, const Recorder::Options& recorded,
                                  const Advance& advance, int phases) {
  const Scenario& scenario = prepared.scenario;
  set_check_context(fmt::format("scenario {} with seed {}", prepared.file, scenario.seed));
  const auto length = static_cast<double>(std::max<Micros>(1, scenario.end_us - scenario.start_us));
  NodesProgress progress(advance, phases);
  const GoOn go_on = [&](std::size_t run, Micros now_us) {
    progress.at(run, prepared.expected.share_after(static_cast<double>(now_us - scenario.start_us) / length));
    return !stop_requested();
  };
  const AtOnce on_all_threads = [](std::size_t count, const std::function<void(std::size_t)>& work) {
    // A thread that waits here takes no other scenario in hand.
    tbb::this_task_arena::isolate([&] { tbb::parallel_for(std::size_t{0}, count, work, tbb::simple_partitioner()); });
  };
  const AtOnce each_node = [&](std::size_t count, const std::function<void(std::size_t)>& work) {
    progress.expect(count);
    on_all_threads(count, work);
  };
  const RunIdentity identity{.version = WINDROW_VERSION, .scenario_hash = hash_of(prepared), .node = 1, .alike = {}};
  std::shared_ptr<const ClusterLoad> load;
  std::shared_ptr<const FaultRecord> faults;
  RunRecord record;
  try {
    if (scenario.ring) load = std::make_shared<const ClusterLoad>(scenario);
    if (has_faults(scenario)) {
      RunIdentity of_node = identity;
      of_node.node = recorded_node(scenario) + 1;
      Recorder recorder(scenario, of_node, recorded);
      const RunOptions options{.go_on = [&](Micros now_us) { return go_on(0, now_us); }};
      faults = std::make_shared<const FaultRecord>(play_cluster(scenario, recorder, options, on_all_threads));
      record = recorder.take();
    } else {
      record = run_cluster(scenario, load, identity, recorded, go_on, each_node);
    }
  } catch (const std::invalid_argument& error) {
    throw UserError(fmt::format("{}: {}", prepared.file, error.what()));
  } catch (const std::length_error& error) {
    throw UserError(fmt::format("{}: {}", prepared.file, error.what()));
  }
  if (!record.complete) return std::nullopt;
  record.load = std::move(load);
  record.every_hour = recorded.all;
  if (record.load) judge_load(record);
  record.faults = std::move(faults);
  if (record.faults) judge_faults(record);
  return record;
}

double recorded_steps(const RunRecord& record) {
  return static_cast<double>(record.work) * (record.faults ? record.faults->nodes : 1);
}

double steps_of_run(const PreparedRun& prepared, const RunRecord& record) {
  return recorded_steps(record) + steps_not_recorded(prepared.expected);
}

void add_growth_option(po::options_description& options, const char* without) {
  options.add_options()("growth", po::value<std::string>()->value_name("HOW"),
                        fmt::format("off, short, full: how far to look for the largest multiple of all rates at which "
                                    "every limit holds, counted in work: full is a minute of processor "
                                    "time, or thirty times the run; without it {}",
                                    without)
                            .c_str());
}

GrowthSearch growth_search(const po::variables_map& options, GrowthSearch without) {
  if (!options.contains("growth")) return without;
  const auto& how = options["growth"].as<std::string>();
  if (how == "off") return GrowthSearch::off;
  if (how == "short") return GrowthSearch::brief;
  if (how == "full") return GrowthSearch::full;
  throw UserError(fmt::format("--growth {}: accepts off, short, full", how));
}

void add_fail_on_option(po::options_description& options) {
  options.add_options()("fail-on", po::value<std::string>()->value_name("WHAT")->default_value("limit"),
                        "limit: exit code 1 when a limit is broken; never: exit code 0 all the same");
}

bool fails_on_limits(const po::variables_map& options) {
  const auto& what = options["fail-on"].as<std::string>();
  if (what != "limit" && what != "never") throw UserError(fmt::format("--fail-on {}: accepts limit, never", what));
  return what == "limit";
}

int exit_of_limits(bool fails, const std::vector<LimitOutcome>& limits) {
  return fails && !std::ranges::all_of(limits, &LimitOutcome::holds) ? exit_disagrees : exit_well;
}

SafeGrowth find_growth(const PreparedRun& prepared, GrowthSearch search, const RunRecord& record,
                       const CountedSearch& counted) {
  if (search == GrowthSearch::off) return {};
  const ScaledScenario scaled = [&](double factor) {
    if (counted.count != nullptr) counted.count->begin_trial(counted.number);
    try {
      Scenario scenario = with_rates_times(prepared.loaded, factor);
      split_months(scenario);
      return scenario;
    } catch (const ScenarioError& error) {
      throw std::invalid_argument(error.mistake().key + " " + error.mistake().problem);
    }
  };
  const GrowthBudget& budget = search == GrowthSearch::full ? full_growth : short_growth;
  return find_safe_growth(record, scaled, budget, [&] {
    if (counted.count != nullptr) counted.count->look();
    return !stop_requested();
  });
}

void search_growth(const PreparedRun& prepared, GrowthSearch search, RunRecord& record) {
  record.growth = find_growth(prepared, search, record);
}

}  // namespace windrow
