#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "sim/cli/command.h"
#include "sim/cli/files.h"
#include "sim/cli/prepared_run.h"
#include "sim/cli/side_by_side.h"
#include "sim/compare/comparison_page.h"
#include "sim/compare/output.h"
#include "sim/page/page.h"
#include "sim/text/text.h"

namespace windrow {
namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;

using Texts = std::vector<std::string>;

constexpr std::array<std::string_view, 4> file_names = {"compare.csv", comparison_json_name, comparison_timeline_name,
                                                        page_name};

void add_compare_options(po::options_description& options) {
  auto add = options.add_options();
  add("vary", po::value<Texts>()->value_name("KEY=A,B,C")->composing(),
      "runs with each of these values; given again, with every combination");
  add("set", po::value<Texts>()->value_name("KEY=VALUE")->composing(),
      "goes over the scenarios' value in every run, such as run.length=1y");
  add("baseline", po::value<std::string>()->value_name("none"),
      "none: also the first scenario as it is, but never compacted");
  add_growth_option(options, "off");
  add_fail_on_option(options);
  add("out", po::value<std::string>()->value_name("DIR"),
      "keeps the comparison there: report.html, compare.csv, compare.json, compare-timeline.csv");
}

Texts texts(const Invocation& invocation, const char* option) {
  return invocation.has(option) ? invocation.options[option].as<Texts>() : Texts{};
}

struct Contestant {
  PreparedRun prepared{};
  std::vector<Choice> choices{};
  bool baseline = false;
  std::optional<ComparedRun> result{};
};

std::vector<Contestant> contestants_of(const Invocation& invocation) {
  std::vector<Variation> variations;
  for (const std::string& text : texts(invocation, "vary")) variations.push_back(read_variation(text));
  const std::vector<std::vector<Choice>> grid = grid_of(variations);
  const Texts assignments = texts(invocation, "set");
  std::vector<Contestant> contestants;
  for (const std::string& file : invocation.arguments) {
    for (const std::vector<Choice>& choices : grid) {
      Texts with_choices = assignments;
      for (const Choice& choice : choices) with_choices.push_back(choice.key + "=" + choice.value);
      contestants.push_back({.prepared = prepare_run(file, with_choices), .choices = choices});
    }
  }
  return contestants;
}

void add_baseline(const Invocation& invocation, std::vector<Contestant>& contestants) {
  if (!invocation.has("baseline")) return;
  if (invocation.text("baseline") != "none") {
    throw UserError(fmt::format("--baseline {}: accepts none", invocation.text("baseline")));
  }
  Texts assignments = texts(invocation, "set");
  for (const TableSpec& table : contestants.front().prepared.loaded.scenario.tables) {
    assignments.push_back(fmt::format("table.{}.compaction.enabled=false", table.name));
  }
  contestants.push_back({.prepared = prepare_run(invocation.arguments.front(), assignments), .baseline = true});
}

/// New, empty, or with nothing but an earlier comparison. Throws UserError.
void check_folder(const fs::path& folder) {
  std::error_code error;
  if (!fs::exists(folder, error)) return;
  if (!fs::is_directory(folder, error))
    throw UserError(fmt::format("--out {}: is a file; results need a folder", folder.string()));
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (std::ranges::find(file_names, name) == file_names.end()) {
      throw UserError(
          fmt::format("--out {}: holds {}, which is no comparison of windrow; accepts a new or empty folder",
                      folder.string(), name));
    }
  }
}

std::vector<OutputFile> output_files(const std::vector<ComparedRun>& runs) {
  const ResultTexts texts = {{comparison_json_name, comparison_as_json(runs)},
                             {comparison_timeline_name, comparison_timeline_csv(runs)}};
  std::vector<OutputFile> files = {{.name = "compare.csv", .text = comparison_as_csv(runs)},
                                   {.name = page_name, .text = comparison_page(texts)}};
  for (const auto& [name, text] : texts) files.push_back({.name = name, .text = text.text()});
  return files;
}

int run_compare(const Invocation& invocation) {
  const GrowthSearch growth = growth_search(invocation.options, GrowthSearch::off);
  const bool fails = fails_on_limits(invocation.options);
  check_out(invocation);
  std::vector<Contestant> contestants;
  try {
    contestants = contestants_of(invocation);
  } catch (const CompareError& error) {
    throw UserError(error.what());
  }
  add_baseline(invocation, contestants);
  if (contestants.size() < 2) {
    throw UserError("compare needs two runs: another scenario, --vary KEY=A,B or --baseline none");
  }
  if (invocation.has("out")) check_folder(invocation.text("out"));

  Console& console = *invocation.console;
  std::string longest;
  double most_steps = 0;
  for (Contestant& contestant : contestants) {
    std::string why = expect_cost(contestant.prepared);
    if (contestant.prepared.expected.steps() <= most_steps) continue;
    most_steps = contestant.prepared.expected.steps();
    longest = std::move(why);
  }
  if (!longest.empty()) console.remark(fmt::format("the longest of {} runs takes {}\n", contestants.size(), longest));
  const auto run_one = [&](std::size_t i, const Advance& advance) -> std::optional<std::string> {
    std::optional<RunRecord> record = simulate(contestants[i].prepared, {}, advance);
    if (!record) return std::nullopt;
    if (!contestants[i].baseline) search_growth(contestants[i].prepared, growth, *record);
    if (stop_requested()) return std::nullopt;
    contestants[i].result = compared_run(*record);
    contestants[i].result->choices = contestants[i].choices;
    contestants[i].result->baseline = contestants[i].baseline;
    return std::string();
  };
  std::vector<double> weights;
  for (const Contestant& contestant : contestants) weights.push_back(contestant.prepared.expected.steps());
  const std::string what = number_of(contestants.size(), "run");
  if (side_by_side(contestants.size(), invocation.threads, console, what, run_one, weights) < contestants.size()) {
    console.remark("windrow: stopped; a comparison needs all of its runs\n");
    return exit_interrupted;
  }
  std::vector<ComparedRun> runs;
  int code = exit_well;
  for (Contestant& contestant : contestants) {
    if (!contestant.baseline) code = std::max(code, exit_of_limits(fails, contestant.result->limits));
    runs.push_back(std::move(*contestant.result));
  }
  if (invocation.has("out")) write_whole(invocation.text("out"), output_files(runs));
  console.print(comparison_as_text(runs, {.width = console.width(), .color = console.color()}));
  if (invocation.has("out")) console.remark(fmt::format("results are in {}\n", invocation.text("out")));
  return code;
}

}  // namespace

const Command compare_command{
    .name = "compare",
    .arguments = "SCENARIO...",
    .meaning = "the same writes under several choices, side by side",
    .example = "windrow compare scenarios/iot-sensors.ini --vary stream.readings.column.bucket=hour,day,week",
    .arguments_min = 1,
    .arguments_max = any_number,
    .add_options = add_compare_options,
    .run = run_compare};

}  // namespace windrow
