#pragma once

#include <string_view>

namespace windrow {

/// A command of cqlsh, which no server reads: CONSISTENCY, COPY, … In any case.
bool is_shell_command(std::string_view word);
/// It ends with its line, with or without a semicolon (cqlsh, commands_end_with_newline); COPY and USE do not.
bool ends_with_its_line(std::string_view word);

}  // namespace windrow
