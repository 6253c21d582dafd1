#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "evidence/agreement/report.h"
#include "evidence/cli/verify_captures.h"
#include "evidence/cli/verify_inputs.h"
#include "sim/base/check.h"
#include "sim/cli/command.h"
#include "sim/cli/files.h"
#include "sim/cli/side_by_side.h"
#include "sim/cql/cql_error.h"

namespace windrow {
namespace {

namespace po = boost::program_options;

void add_verify_options(po::options_description& options) {
  options.add_options()("format", po::value<std::string>()->value_name("FORMAT")->default_value("text"),
                        "text or json")(
      "exact", "every key hashed, every row looked at, filters bit for bit, where a run looks less closely");
}

Trace read_trace(const std::filesystem::path& path) {
  try {
    return parse_trace(read_text_file(path));
  } catch (const TraceError& error) {
    throw UserError(fmt::format("{}: {}", path.string(), error.what()));
  }
}

OracleScenario read_scenario(const std::filesystem::path& path) {
  try {
    return parse_oracle_scenario(read_text_file(path));
  } catch (const OracleScenarioError& error) {
    throw UserError(fmt::format("{}: {}", path.string(), error.what()));
  }
}

RecordingResult verify_recording(const RecordingFiles& files, Replay replay) {
  set_check_context("recording " + files.name);
  try {
    return check_recording(
        {.name = files.name, .scenario = read_scenario(files.scenario), .trace = read_trace(files.trace)}, replay);
  } catch (const CqlError& error) {
    throw UserError(fmt::format("{}: {}", files.scenario.string(), error.what()));
  } catch (const OracleScenarioError& error) {
    throw UserError(fmt::format("{}: {}", files.scenario.string(), error.what()));
  } catch (const std::length_error& error) {
    throw UserError(fmt::format("{}: {}", files.scenario.string(), error.what()));
  }
}

CaptureResult verify_folder(const CaptureFolder& folder) {
  try {
    return verify_capture(folder);
  } catch (const nlohmann::json::exception& error) {
    throw UserError(fmt::format("{}: {}", folder.path.string(), error.what()));
  }
}

std::size_t name_width(const VerifyInputs& inputs) {
  std::size_t width = inputs.captures.empty() ? 0 : std::string_view("row_sizes").size();
  for (const CaptureFolder& capture : inputs.captures) width = std::max(width, capture_name(capture).size());
  for (const RecordingFiles& files : inputs.recordings) width = std::max(width, files.name.size());
  return width;
}

int run_verify(const Invocation& invocation) {
  const std::string format = invocation.text("format");
  if (format != "text" && format != "json") throw UserError("--format " + format + ": accepts text or json");
  const VerifyInputs inputs = find_verify_inputs(invocation.arguments);
  const ReportStyle style{.name_width = name_width(inputs), .color = invocation.console->color()};
  const std::size_t recordings = inputs.recordings.size();
  const Replay replay = invocation.has("exact") ? Replay::exact : Replay::as_run;
  VerifyReport report;
  report.recordings.resize(recordings);
  report.captures.resize(inputs.captures.size());

  const auto verify_one = [&](std::size_t i, const Advance&) -> std::optional<std::string> {
    if (i < recordings) {
      report.recordings[i] = verify_recording(inputs.recordings[i], replay);
      return format == "text" ? recording_text(report.recordings[i], style) : std::string();
    }
    report.captures[i - recordings] = verify_folder(inputs.captures[i - recordings]);
    return format == "text" ? capture_text(report.captures[i - recordings], style) : std::string();
  };
  const std::size_t all = recordings + inputs.captures.size();
  const std::size_t done = side_by_side(all, invocation.threads, *invocation.console, "verifying", verify_one);
  if (done < all) {
    invocation.console->remark(fmt::format("windrow: stopped after {} of {}\n", done, all));
    return exit_interrupted;
  }
  invocation.console->print(format == "json" ? report_json(report) : summary_text(report) + "\n");
  return report.agrees() ? exit_well : exit_disagrees;
}

}  // namespace

const Command verify_command{.name = "verify",
                             .arguments = "PATH...",
                             .meaning = "replays recordings of the real engine and prints where we agree",
                             .example = "windrow verify tests/oracle/traces",
                             .arguments_min = 1,
                             .arguments_max = any_number,
                             .add_options = add_verify_options,
                             .run = run_verify};

}  // namespace windrow
