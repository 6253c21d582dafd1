#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>

#include "sim/cli/advice_trials.h"
#include "sim/cli/command.h"
#include "sim/cli/prepared_run.h"
#include "sim/cli/prevention.h"
#include "sim/cli/result_folder.h"
#include "sim/cli/safe_bound_trials.h"
#include "sim/cli/side_by_side.h"
#include "sim/cluster/cluster.h"
#include "sim/page/page.h"
#include "sim/results/catalog.h"
#include "sim/size/key_matrix.h"
#include "sim/text/text.h"
#include "sim/verdict/verdict.h"

namespace windrow {
namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;

void add_run_options(po::options_description& options) {
  auto add = options.add_options();
  add("out", po::value<std::string>()->value_name("DIR"),
      "where results go: one scenario writes to DIR itself, several to DIR/NAME; without it NAME.windrow, here");
  add("set", po::value<std::vector<std::string>>()->value_name("KEY=VALUE")->composing(),
      "goes over the scenario's value, such as run.length=1y; may be given again and again");
  add_growth_option(options, "short");
  add_advice_option(options);
  add_fail_on_option(options);
  add("seeds", po::value<int>()->value_name("N"),
      "with outages that are drawn: plays so many seeds from the scenario's on and says in how many deleted rows come "
      "back; nothing is written");
  add("all", "every SSTable and every compaction by itself, also those that no report needs");
}

/// A scenario that can run, and where its results will be.
struct Prepared : PreparedRun {
  std::unique_ptr<ResultFolder> folder{};
  int exit_code = exit_well;
};

fs::path result_path(const Invocation& invocation, const Prepared& prepared) {
  const std::string& name = prepared.loaded.scenario.name;
  if (!invocation.has("out")) return name + ".windrow";
  const fs::path out = invocation.text("out");
  return invocation.arguments.size() == 1 ? out : out / name;
}

void find_folders(const Invocation& invocation, std::vector<Prepared>& runs) {
  if (invocation.has("out") && runs.size() > 1) check_folder_of_results(invocation.text("out"));
  std::map<fs::path, std::string> taken;
  for (Prepared& prepared : runs) {
    const fs::path path = result_path(invocation, prepared);
    const auto [other, fresh] = taken.emplace(path, prepared.file);
    if (!fresh) {
      throw UserError(fmt::format("{} and {} would both write to {}; run them one by one, each with its own --out",
                                  other->second, prepared.file, path.string()));
    }
    prepared.folder = std::make_unique<ResultFolder>(path);
  }
}

void write_files(const Prepared& prepared, const RunRecord& record, ResultWriter& writer) {
  writer.write("scenario.ini", prepared.resolved);
  for (const StoredInput& input : prepared.inputs) writer.write(input.path, input.text);
  write_results(record, writer);
  ResultTexts texts = writer.take_texts();
  texts["scenario.ini"] = prepared.resolved;
  writer.write(page_name, review_page(texts));
}

std::vector<std::string> known_names() {
  std::vector<std::string> names;
  for (const ResultFile& file : result_files()) names.emplace_back(file.name);
  for (const ResultFile& file : node_files()) names.emplace_back(file.name);
  for (const ResultFile& file : fault_files()) names.emplace_back(file.name);
  for (const ResultFile& file : read_files()) names.emplace_back(file.name);
  names.emplace_back(page_name);
  return names;
}

void add_key_choices(const Scenario& scenario, RunRecord& record) {
  for (TableRecord& table : record.tables) {
    const auto found = std::ranges::find(scenario.tables, table.name, &TableSpec::name);
    if (found != scenario.tables.end())
      table.key_choices = key_choices(scenario, static_cast<int>(found - scenario.tables.begin()), &table.partitions);
  }
}

int run_seeds(const Invocation& invocation, const std::vector<std::string>& assignments) {
  const int seeds = invocation.options["seeds"].as<int>();
  if (seeds < 1 || seeds > 100'000) throw UserError("--seeds: accepts 1 to 100000");
  for (const std::string& file : invocation.arguments) {
    const PreparedRun prepared = prepare_run(file, assignments);
    if (!has_faults(prepared.scenario))
      throw UserError(fmt::format("{}: --seeds needs an [outage.NAME] or a [repair.NAME]", file));
    std::vector<Rows> rows(static_cast<std::size_t>(seeds), 0);
    const std::size_t done = side_by_side(
        rows.size(), invocation.threads, *invocation.console, prepared.scenario.name,
        [&](std::size_t i, const Advance& advance) -> std::optional<std::string> {
          const auto found = resurrected_with_seed(prepared, assignments, prepared.scenario.seed + i);
          if (!found) return std::nullopt;
          rows[i] = *found;
          advance({.share = 1});
          return *found > 0 ? fmt::format("seed {}: {}\n", prepared.scenario.seed + i, number_of(*found, "row"))
                            : std::string();
        });
    if (done < rows.size()) return exit_interrupted;
    const auto with = static_cast<std::size_t>(std::ranges::count_if(rows, [](Rows each) { return each > 0; }));
    invocation.console->print(fmt::format("{}: {}\n", prepared.scenario.name, share_of_zombies(with, rows.size())));
  }
  return exit_well;
}

int run_scenarios(const Invocation& invocation) {
  const std::vector<std::string> assignments =
      invocation.has("set") ? invocation.options["set"].as<std::vector<std::string>>() : std::vector<std::string>{};
  if (invocation.has("seeds")) return run_seeds(invocation, assignments);
  const GrowthSearch growth = growth_search(invocation.options, GrowthSearch::brief);
  const AdviceSearch advice = advice_search(invocation.options);
  const bool fails = fails_on_limits(invocation.options);
  check_out(invocation);
  std::vector<Prepared> runs;
  for (const std::string& file : invocation.arguments)
    runs.push_back({prepare_run(file, assignments), nullptr, exit_well});
  find_folders(invocation, runs);

  Console& console = *invocation.console;
  for (Prepared& prepared : runs) {
    const std::string why = expect_cost(prepared);
    if (!why.empty()) console.remark(fmt::format("{} takes {}\n", prepared.scenario.name, why));
  }
  const VerdictStyle style{.width = console.width(), .color = console.color()};
  std::vector<double> weights;
  for (const Prepared& prepared : runs) weights.push_back(prepared.expected.steps());
  const auto run_one = [&](std::size_t i, const Advance& advance) -> std::optional<std::string> {
    const bool searches = growth != GrowthSearch::off || advice != AdviceSearch::off;
    Step phase{.phase = 1, .phases = 1 + (searches ? 1 : 0) + (has_faults(runs[i].scenario) ? 2 : 0)};
    const auto next = [&] {
      ++phase.phase;
      return phase;
    };
    std::optional<RunRecord> record = simulate(runs[i], {.all = invocation.has("all")}, advance, phase.phases);
    if (!record) return std::nullopt;
    if (searches) search_beside(runs[i], growth, assignments, advice, advance, next(), *record);
    if (has_faults(runs[i].scenario)) {
      find_prevention(runs[i], assignments, advance, next(), *record);
      find_safe_bounds(runs[i], assignments, advice, advance, next(), *record);
    }
    if (stop_requested()) return std::nullopt;
    add_key_choices(runs[i].loaded.scenario, *record);
    runs[i].folder->write([&](ResultWriter& writer) { write_files(runs[i], *record, writer); }, known_names());
    runs[i].exit_code = exit_of_limits(fails, record->limits);
    std::string text = verdict(*record, style);
    if (!text.ends_with('\n')) text += '\n';
    return i + 1 < runs.size() ? text + '\n' : text;
  };
  const std::string what =
      runs.size() == 1 ? runs.front().loaded.scenario.name : fmt::format("{} scenarios", runs.size());
  const std::size_t done = side_by_side(runs.size(), invocation.threads, console, what, run_one, weights);
  if (done < runs.size()) {
    console.remark(runs.size() == 1
                       ? std::string("windrow: stopped; nothing was written\n")
                       : fmt::format("windrow: stopped; {} of {} scenarios finished and kept\n", done, runs.size()));
    return exit_interrupted;
  }
  for (const Prepared& prepared : runs)
    console.remark(fmt::format("results are in {}\n", prepared.folder->path().string()));
  return std::ranges::max_element(runs, {}, &Prepared::exit_code)->exit_code;
}

}  // namespace

const Command run_command{
    .name = "run",
    .arguments = "SCENARIO...",
    .meaning = "simulates, prints the verdict and writes all results",
    .example = "windrow run scenarios/iot-sensors.ini --set run.length=1y --out iot-sensors.windrow",
    .arguments_min = 1,
    .arguments_max = any_number,
    .add_options = add_run_options,
    .run = run_scenarios};

}  // namespace windrow
