#include <fmt/format.h>

#include <filesystem>

#include "sim/cli/command.h"
#include "sim/cli/files.h"
#include "sim/cli/schema_file.h"
#include "sim/cql/script.h"
#include "sim/draft/draft.h"

namespace windrow {
namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;

void add_new_options(po::options_description& options) {
  options.add_options()("table", po::value<std::string>()->value_name("NAME"), "only this one of the schema's tables");
  options.add_options()(
      "out", po::value<std::string>()->value_name("FILE.ini"),
      "writes the scenario there instead of printing it; a file that is there already stays as it is");
}

std::string schema_beside(const fs::path& schema, const fs::path& scenario) {
  if (schema.is_absolute()) return schema.string();
  const fs::path folder = scenario.parent_path().empty() ? fs::path(".") : scenario.parent_path();
  return schema.lexically_normal().lexically_relative(folder.lexically_normal()).generic_string();
}

int run_new(const Invocation& invocation) {
  const std::string file = invocation.arguments.front();
  check_out(invocation);
  Schema schema;
  const ScriptResult result = run_cql(read_schema_file(file), schema, {.pass_over_missing_drops = true});
  if (result.error) throw UserError(result.error->text(file));
  const fs::path out = invocation.has("out") ? fs::path(invocation.text("out")) : fs::path(file).stem() += ".ini";
  const std::string path = invocation.has("out") ? schema_beside(file, out) : file;
  std::string text;
  try {
    text = draft_scenario(schema, path.empty() ? file : path, out.stem().string(),
                          invocation.has("table") ? invocation.text("table") : std::string());
  } catch (const DraftError& error) {
    throw UserError(fmt::format("{}: {}", file, error.what()));
  }
  if (!invocation.has("out")) {
    invocation.console->print(text);
    return exit_well;
  }
  std::error_code ignored;
  if (fs::exists(out, ignored))
    throw UserError(fmt::format("--out {}: is there already, and stays as it is", out.string()));
  const fs::path folder = out.parent_path().empty() ? fs::path(".") : out.parent_path();
  write_whole(folder, {{.name = out.filename().string(), .text = text}});
  invocation.console->remark(
      fmt::format("{}: answer the lines that begin with #?, then windrow run {}\n", out.string(), out.string()));
  return exit_well;
}

}  // namespace

const Command new_command{
    .name = "new",
    .arguments = "FILE.cql",
    .meaning = "a commented scenario for a schema, with a question wherever the schema does not say",
    .example = "windrow new scenarios/iot-sensors.cql --out my-sensors.ini",
    .arguments_min = 1,
    .arguments_max = 1,
    .add_options = add_new_options,
    .run = run_new};

}  // namespace windrow
