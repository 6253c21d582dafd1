#pragma once

#include <string>
#include <vector>

#include "sim/cli/command.h"

namespace windrow {

/// What stands behind the program's name, understood.
struct ParsedLine {
  const Command* command = nullptr;  // null: no command, only help or version
  Invocation invocation{};
  bool help = false;
  bool version = false;
  bool quiet = false;
  Console::Color color = Console::Color::automatic;
};

/// Throws UserError with the nearest valid name.
ParsedLine parse_arguments(const std::vector<std::string>& arguments);

std::string program_help();
std::string command_help(const Command& command);

}  // namespace windrow
