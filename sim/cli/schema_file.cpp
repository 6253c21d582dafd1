#include "sim/cli/schema_file.h"

#include <fmt/format.h>

#include <filesystem>

#include "sim/cli/command.h"
#include "sim/cli/files.h"

namespace windrow {

std::string read_schema_file(const std::string& file) {
  if (std::filesystem::path(file).extension() == ".ini")
    throw UserError(fmt::format("{}: is a scenario; accepts a schema, as the one that its `schema =` names", file));
  return read_text_file(file);
}

}  // namespace windrow
