#pragma once

#include <boost/program_options.hpp>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cli/console.h"

namespace windrow {

// What the program's end means to whoever called it.
inline constexpr int exit_well = 0;
inline constexpr int exit_disagrees = 1;  // findings, broken limits, differences
inline constexpr int exit_user_mistake = 2;
inline constexpr int exit_internal_error = 3;
inline constexpr int exit_interrupted = 130;

/// Something the user has to change; what() is the whole message.
struct UserError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What a command is given.
struct Invocation {
  std::vector<std::string> arguments{};  // that are no options
  boost::program_options::variables_map options{};
  int threads = 1;
  Console* console = nullptr;

  bool has(const std::string& option) const { return options.count(option) > 0; }
  /// Of an option with a default, or one that has().
  std::string text(const std::string& option) const { return options[option].as<std::string>(); }
};

/// --out with nothing behind it, as of a variable that is not set, is a UserError.
void check_out(const Invocation& invocation);

/// A command, described once: parser, help and the nearest name on a typo read it here.
struct Command {
  std::string_view name{};
  std::string_view arguments{};  // PATH...
  std::string_view meaning{};
  std::string_view example{};
  std::size_t arguments_min = 0;
  std::size_t arguments_max = 0;
  void (*add_options)(boost::program_options::options_description&) = nullptr;  // null: it has none of its own
  int (*run)(const Invocation&) = nullptr;
};

inline constexpr std::size_t any_number = SIZE_MAX;

extern const Command compare_command;
extern const Command explain_command;
extern const Command keys_command;
extern const Command new_command;
extern const Command report_command;
extern const Command lint_command;
extern const Command run_command;
extern const Command size_command;
extern const Command verify_command;

/// In the order of the help.
std::span<const Command* const> commands();

}  // namespace windrow
