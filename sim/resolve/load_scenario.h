#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/keys/scenario_text.h"
#include "sim/resolve/input_files.h"
#include "sim/scenario/scenario.h"
#include "sim/schema/schema.h"

namespace windrow {

/// A scenario, ready to run, and what it was made from.
struct LoadedScenario {
  Scenario scenario{};
  ScenarioText text{};                                      // with `like` filled in
  Schema schema{};                                          // with the scenario's table options
  std::vector<std::shared_ptr<const SourceText>> inputs{};  // files it names, in order of first use
};

/// Reads, checks and resolves a scenario. `file`: its name as the user knows it; `read` gets the names of other files
/// as written. Every mistake of the user is a ScenarioError.
LoadedScenario load_scenario(std::string_view file, std::string_view text, std::span<const std::string> assignments,
                             const ReadFile& read);

}  // namespace windrow
