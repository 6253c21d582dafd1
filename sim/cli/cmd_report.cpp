#include <fmt/format.h>

#include <filesystem>

#include "sim/cli/chart_export.h"
#include "sim/cli/command.h"
#include "sim/cli/files.h"
#include "sim/cli/result_folder.h"
#include "sim/compare/comparison_page.h"
#include "sim/page/page.h"

namespace windrow {
namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;

void add_report_options(po::options_description& options) {
  auto add = options.add_options();
  add("svg", po::value<std::string>()->value_name("OUT"),
      "also every chart as SVG and PNG, into this folder; Chromium draws them");
}

ResultTexts read_texts(const fs::path& folder, const std::vector<std::string>& names,
                       const std::vector<std::string>& optional = {}) {
  ResultTexts texts;
  for (const std::string& name : names) texts[name] = read_result_text(folder / name);
  for (const std::string& name : optional) {
    if (std::string text; try_read_text_file(folder / name, text)) texts[name] = std::move(text);
  }
  return texts;
}

std::string page_of(const fs::path& folder) {
  std::error_code ignored;
  const bool comparison = fs::exists(folder / comparison_json_name, ignored);
  if (!comparison && !is_result_folder(folder)) {
    throw UserError(
        fmt::format("{} is no result of windrow: windrow run SCENARIO.ini --out DIR makes one", folder.string()));
  }
  try {
    return comparison ? comparison_page(read_texts(folder, comparison_page_sources()))
                      : review_page(read_texts(folder, page_sources(), node_page_sources()));
  } catch (const PageError& error) {
    throw UserError(fmt::format("{}: {}", folder.string(), error.what()));
  }
}

int run_report(const Invocation& invocation) {
  const fs::path folder = invocation.arguments.front();
  const std::string page = page_of(folder);
  write_whole(folder, {{.name = page_name, .text = page}});
  invocation.console->remark(fmt::format("the page is {}\n", (folder / page_name).string()));
  if (invocation.has("svg")) {
    const fs::path out = invocation.text("svg");
    const std::size_t charts = export_charts(folder / page_name, out);
    invocation.console->remark(fmt::format("{} charts, each as SVG and PNG, are in {}\n", charts, out.string()));
  }
  return exit_well;
}

}  // namespace

const Command report_command{.name = "report",
                             .arguments = "DIR",
                             .meaning = "draws the page again from stored results, of a run or a comparison",
                             .example = "windrow report iot-sensors.windrow --svg charts",
                             .arguments_min = 1,
                             .arguments_max = 1,
                             .add_options = add_report_options,
                             .run = run_report};

}  // namespace windrow
