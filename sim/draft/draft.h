#pragma once

#include <stdexcept>
#include <string>

#include "sim/schema/schema.h"

namespace windrow {

/// A schema that no scenario can be drafted for; what() is the whole message.
struct DraftError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A commented scenario for all tables of a schema. What the schema does not tell is asked: a line `#? …` with the
/// question, and below it `#key =` for the answer. Answered, it runs. `schema_path`: as the scenario names the file;
/// `name`: of the scenario; `table`: only this one. Throws DraftError.
std::string draft_scenario(const Schema& schema, const std::string& schema_path, const std::string& name,
                           const std::string& table = {});

}  // namespace windrow
