#include "sim/cql/shell_commands.h"

#include <algorithm>
#include <array>

#include "sim/schema/identifier.h"

namespace windrow {

namespace {

// cqlshlib/cqlshhandling.py, my_commands_ending_with_newline.
constexpr std::array<std::string_view, 18> by_line = {
    "HELP",  "?",     "CONSISTENCY", "SERIAL", "DESCRIBE", "DESC", "SHOW", "SOURCE", "CAPTURE",
    "LOGIN", "DEBUG", "TRACING",     "EXPAND", "PAGING",   "EXIT", "QUIT", "CLEAR",  "CLS"};

}  // namespace

bool ends_with_its_line(std::string_view word) {
  return std::ranges::any_of(by_line, [&](std::string_view each) { return equals_ignore_case(each, word); });
}

bool is_shell_command(std::string_view word) { return ends_with_its_line(word) || equals_ignore_case(word, "COPY"); }

}  // namespace windrow
