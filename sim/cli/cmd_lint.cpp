#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "sim/cli/command.h"
#include "sim/cli/files.h"
#include "sim/cli/scenario_files.h"
#include "sim/lint/allowed.h"
#include "sim/lint/catalog.h"
#include "sim/lint/lint.h"

namespace windrow {
namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;

void add_lint_options(po::options_description& options) {
  auto add = options.add_options();
  add("format", po::value<std::string>()->value_name("FORMAT")->default_value("text"), "text, json or sarif");
  add("fail-on", po::value<std::string>()->value_name("SEVERITY")->default_value("note"),
      "exit code 1 from this severity on: note, warning, error, or never");
  add("set", po::value<std::vector<std::string>>()->value_name("KEY=VALUE")->composing(),
      "goes over the scenarios' values, as for windrow run");
  add("migrations", "the CQL files are one schema, applied in the order given");
  add("allow", po::value<std::vector<std::string>>()->value_name("RULE")->composing(),
      "leaves out findings of this rule; in a file, the comment `-- windrow: allow RULE reason` does for a statement");
  add("baseline", po::value<std::string>()->value_name("FILE.json"),
      "leaves out what an earlier windrow lint --format json found already");
  add("catalog", "prints everything that can be found, as docs/findings.md has it");
}

const std::string& checked(const std::string& file, const std::string& text) {
  if (!holds_statements(text)) throw UserError(file + ": holds no statement; accepts CQL with at least one");
  return text;
}

std::vector<Finding> lint_as_migrations(const std::vector<std::string>& files) {
  std::vector<std::shared_ptr<const SourceText>> texts;
  for (const std::string& file : files) {
    if (fs::path(file).extension() == ".ini")
      throw UserError(file + ": is a scenario; --migrations accepts CQL files, in order");
    const std::string text = read_text_file(file);
    texts.push_back(std::make_shared<const SourceText>(SourceText{.name = file, .text = checked(file, text)}));
  }
  return lint_migrations(texts);
}

std::vector<Finding> lint_file(const std::string& file, const std::vector<std::string>& assignments) {
  const std::string text = read_text_file(file);
  if (fs::path(file).extension() != ".ini") return lint_cql(file, checked(file, text));
  const fs::path folder = fs::path(file).parent_path();
  std::vector<Finding> findings = lint_scenario(load_scenario(file, text, assignments, files_beside(file)));
  // A file that the scenario names is shown by its place from here.
  for (Finding& finding : findings) {
    if (!finding.place.source || finding.place.file() == file || finding.place.file().starts_with("--")) continue;
    finding.place.source = std::make_shared<const SourceText>(
        SourceText{.name = (folder / finding.place.file()).string(), .text = finding.place.source->text});
  }
  return findings;
}

bool fails(const std::vector<Finding>& findings, const std::string& from) {
  const auto reaches = [&](const Finding& finding) {
    return from == "note" || (from == "warning" && finding.rule->severity >= Severity::warning) ||
           finding.rule->severity == Severity::error;
  };
  return from != "never" && std::ranges::any_of(findings, reaches);
}

int run_lint(const Invocation& invocation) {
  if (invocation.has("catalog")) {
    invocation.console->print(findings_as_markdown());
    return exit_well;
  }
  const std::string format = invocation.text("format");
  if (format != "text" && format != "json" && format != "sarif")
    throw UserError("--format " + format + ": accepts text, json or sarif");
  const std::string from = invocation.text("fail-on");
  if (from != "note" && from != "warning" && from != "error" && from != "never") {
    throw UserError("--fail-on " + from + ": accepts note, warning, error or never");
  }
  if (invocation.arguments.empty())
    throw UserError(
        "windrow lint takes FILE.cql or SCENARIO.ini, one or more\nexample: windrow lint scenarios/iot-sensors.ini");
  const std::vector<std::string> assignments =
      invocation.has("set") ? invocation.options["set"].as<std::vector<std::string>>() : std::vector<std::string>{};
  std::vector<Finding> findings;
  try {
    if (invocation.has("migrations")) {
      findings = lint_as_migrations(invocation.arguments);
    } else {
      for (const std::string& file : invocation.arguments) {
        std::vector<Finding> here = lint_file(file, assignments);
        findings.insert(findings.end(), std::make_move_iterator(here.begin()), std::make_move_iterator(here.end()));
      }
    }
    if (invocation.has("allow")) leave_out_rules(findings, invocation.options["allow"].as<std::vector<std::string>>());
    if (invocation.has("baseline"))
      leave_out_known(findings, read_text_file(invocation.text("baseline")), invocation.text("baseline"));
  } catch (const AllowError& error) {
    throw UserError(error.what());
  }
  invocation.console->print(format == "text"   ? findings_as_text(findings)
                            : format == "json" ? findings_as_json(findings)
                                               : findings_as_sarif(findings, WINDROW_VERSION));
  return fails(findings, from) ? exit_disagrees : exit_well;
}

}  // namespace

const Command lint_command{.name = "lint",
                           .arguments = "FILE.cql|SCENARIO.ini...",
                           .meaning = "what in a schema or scenario will hurt: where, why, and what to do",
                           .example = "windrow lint scenarios/iot-sensors.ini --fail-on error",
                           .arguments_min = 0,
                           .arguments_max = any_number,
                           .add_options = add_lint_options,
                           .run = run_lint};

}  // namespace windrow
