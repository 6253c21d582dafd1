#include "sim/cli/command.h"
#include "sim/resolve/key_reference.h"

namespace windrow {
namespace {

namespace po = boost::program_options;

void add_keys_options(po::options_description& options) {
  options.add_options()("format", po::value<std::string>()->value_name("FORMAT")->default_value("text"),
                        "text, markdown or json");
}

int run_keys(const Invocation& invocation) {
  const std::string section = invocation.arguments.empty() ? std::string() : invocation.arguments.front();
  const std::string format = invocation.text("format");
  if (format == "text") {
    invocation.console->print(keys_as_text(section));
  } else if (format == "markdown") {
    invocation.console->print(keys_as_markdown(section));
  } else if (format == "json") {
    invocation.console->print(keys_as_json(section));
  } else {
    throw UserError("--format " + format + ": accepts text, markdown or json");
  }
  return exit_well;
}

}  // namespace

const Command keys_command{.name = "keys",
                           .arguments = "[SECTION]",
                           .meaning = "lists every key of a scenario: meaning, unit, default, range",
                           .example = "windrow keys stream --format markdown",
                           .arguments_min = 0,
                           .arguments_max = 1,
                           .add_options = add_keys_options,
                           .run = run_keys};

}  // namespace windrow
