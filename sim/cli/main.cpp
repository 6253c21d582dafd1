#include <fmt/format.h>

#include <boost/program_options/errors.hpp>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "sim/cli/arguments.h"
#include "sim/cql/cql_error.h"
#include "sim/words/scenario_error.h"

namespace windrow {
namespace {

int run_program(const std::vector<std::string>& arguments) {
  ParsedLine line = parse_arguments(arguments);
  Console console(line.color, line.quiet);
  if (line.version) {
    console.print(fmt::format("windrow {}\n", WINDROW_VERSION));
    return exit_well;
  }
  if (line.help) {
    console.print(line.command != nullptr ? command_help(*line.command) : program_help());
    return exit_well;
  }
  if (line.command == nullptr) throw UserError("which command?\n\n" + program_help());
  line.invocation.console = &console;
  const int code = line.command->run(line.invocation);
  return stop_requested() ? exit_interrupted : code;
}

int complain(const std::string& message) {
  fmt::print(stderr, "windrow: {}\n", message);
  return exit_user_mistake;
}

int guarded(const std::vector<std::string>& arguments) {
  try {
    return run_program(arguments);
  } catch (const UserError& error) {
    return complain(error.what());
  } catch (const ScenarioError& error) {
    return complain(error.what());
  } catch (const CqlError& error) {
    return complain(error.what());
  } catch (const std::bad_alloc&) {
    return complain("out of memory; a smaller scenario, or fewer --threads, needs less");
  } catch (const std::exception& error) {
    fmt::print(
        stderr,
        "windrow: internal error: {}\n  This is a mistake in windrow {}. Please report it with the command and the "
        "files it was given.\n",
        error.what(), WINDROW_VERSION);
    return exit_internal_error;
  }
}

}  // namespace
}  // namespace windrow

int main(int count, char** values) {
  windrow::handle_signals();
  return windrow::guarded({values + 1, values + count});
}
