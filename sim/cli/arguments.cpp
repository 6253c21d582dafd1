#include "sim/cli/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <thread>

#include "sim/base/nearest.h"

namespace windrow {
namespace {

namespace po = boost::program_options;

constexpr int most_threads = 1024;

po::options_description common_options() {
  po::options_description options("Options of every command");
  auto add = options.add_options();
  add("help,h", "what the command does, with an example");
  add("quiet,q", "nothing but results and errors");
  add("threads", po::value<int>()->value_name("N"),
      "run so many things side by side; default: as many as there are cores");
  add("color", po::value<std::string>()->value_name("WHEN")->default_value("auto"),
      "auto, always or never; auto looks at the terminal and at NO_COLOR");
  return options;
}

po::options_description own_options(const Command& command) {
  po::options_description options(fmt::format("Options of windrow {}", command.name));
  if (command.add_options != nullptr) command.add_options(options);
  return options;
}

std::string suggestion(std::string_view nearest, std::string_view prefix) {
  return nearest.empty() ? std::string() : fmt::format("; did you mean {}{}?", prefix, nearest);
}

const Command& find_command(const std::string& name) {
  std::vector<std::string_view> names;
  for (const Command* command : commands()) {
    if (command->name == name) return *command;
    names.push_back(command->name);
  }
  const std::string_view nearest = nearest_name(name, names);
  throw UserError(
      fmt::format("there is no command '{}'{}\nwindrow --help lists the commands", name, suggestion(nearest, "")));
}

[[noreturn]] void refuse_option(const std::string& option, const std::vector<const po::options_description*>& known,
                                const std::string& where) {
  std::vector<std::string> names;
  for (const auto* options : known) {
    for (const auto& each : options->options()) names.push_back(each->long_name());
  }
  const std::string plain = option.substr(std::min(option.find_first_not_of('-'), option.size()));
  throw UserError(fmt::format("there is no option '{}' of {}{}\n{} --help lists the options", option, where,
                              suggestion(nearest_name(plain, names), "--"), where));
}

Console::Color color_of(const std::string& text) {
  if (text == "auto") return Console::Color::automatic;
  if (text == "always") return Console::Color::always;
  if (text == "never") return Console::Color::never;
  throw UserError(fmt::format("--color {}: accepts auto, always or never", text));
}

int threads_of(const po::variables_map& options) {
  if (options.count("threads") == 0) return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const int threads = options["threads"].as<int>();
  if (threads < 1 || threads > most_threads) {
    throw UserError(fmt::format("--threads {}: accepts 1 to {}", threads, most_threads));
  }
  return threads;
}

void check_count(const Command& command, std::size_t given) {
  if (given >= command.arguments_min && given <= command.arguments_max) return;
  throw UserError(fmt::format("windrow {} takes {}, not {} {}\nusage: windrow {} {}\nexample: {}", command.name,
                              command.arguments.empty() ? "no argument" : command.arguments, given,
                              given == 1 ? "argument" : "arguments", command.name, command.arguments, command.example));
}

po::variables_map parse(const std::vector<std::string>& arguments, const Command* command,
                        std::vector<std::string>& positional) {
  const po::options_description common = common_options();
  const po::options_description own = command != nullptr ? own_options(*command) : po::options_description();
  po::options_description all;
  all.add(own).add(common).add_options()("arguments", po::value<std::vector<std::string>>(&positional));
  po::positional_options_description places;
  places.add("arguments", -1);
  const std::string where = command != nullptr ? fmt::format("windrow {}", command->name) : "windrow";
  po::variables_map options;
  try {
    // No abbreviations: a script must not change its meaning when an option is added.
    constexpr int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    po::store(po::command_line_parser(arguments).options(all).positional(places).style(style).run(), options);
    po::notify(options);
  } catch (const po::unknown_option& error) {
    refuse_option(error.get_option_name(), {&own, &common}, where);
  } catch (const po::error& error) {
    throw UserError(fmt::format("{}: {}\n{} --help lists the options", where, error.what(), where));
  }
  return options;
}

}  // namespace

std::span<const Command* const> commands() {
  static constexpr std::array all{&new_command,  &run_command,    &compare_command, &explain_command, &lint_command,
                                  &size_command, &report_command, &verify_command,  &keys_command};
  return all;
}

void check_out(const Invocation& invocation) {
  if (invocation.has("out") && invocation.text("out").empty())
    throw UserError("--out '': names no place; accepts a path, or leave it out");
}

ParsedLine parse_arguments(const std::vector<std::string>& arguments) {
  ParsedLine line;
  std::vector<std::string> rest = arguments;
  if (!rest.empty() && rest.front() == "help") {
    line.help = true;
    rest.erase(rest.begin());
  }
  if (!rest.empty() && !rest.front().starts_with('-')) {
    line.command = &find_command(rest.front());
    rest.erase(rest.begin());
  } else if (const auto version = std::ranges::find(rest, "--version"); version != rest.end()) {
    line.version = true;
    rest.erase(version);
  }
  line.invocation.options = parse(rest, line.command, line.invocation.arguments);
  line.help = line.help || line.invocation.has("help");
  line.quiet = line.invocation.has("quiet");
  line.color = color_of(line.invocation.text("color"));
  line.invocation.threads = threads_of(line.invocation.options);
  if (line.command == nullptr && !line.invocation.arguments.empty()) {
    find_command(line.invocation.arguments.front());
    throw UserError(fmt::format("options stand behind the command: windrow {} ...", line.invocation.arguments.front()));
  }
  if (line.command != nullptr && !line.help) check_count(*line.command, line.invocation.arguments.size());
  return line;
}

std::string program_help() {
  std::string text =
      "windrow: years of Cassandra time-series tables in seconds\n\n"
      "usage: windrow COMMAND [OPTION...] [ARGUMENT...]\n\n";
  for (const Command* command : commands()) text += fmt::format("  {:<8} {}\n", command->name, command->meaning);
  text +=
      "\nwindrow COMMAND --help says more, with an example.\n"
      "windrow --version prints the version.\n\n"
      "Exit codes: 0 well, 1 a broken limit, findings or differences, 2 a mistake in what was given, 3 a mistake in "
      "windrow.\n";
  return text;
}

std::string command_help(const Command& command) {
  std::ostringstream text;
  text << fmt::format("usage: windrow {} [OPTION...] {}\n\n{}\n\n", command.name, command.arguments, command.meaning);
  const po::options_description own = own_options(command);
  if (!own.options().empty()) text << own << '\n';
  text << common_options() << "\nExample:\n  " << command.example << '\n';
  return text.str();
}

}  // namespace windrow
