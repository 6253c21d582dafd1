#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/resolve/load_scenario.h"

namespace windrow {

/// A file that a scenario has read, as a result folder keeps it.
struct StoredInput {
  std::string path{};       // inputs/NAME
  std::string_view text{};  // of the loaded scenario, which keeps it
};

/// Every file the scenario named; two files of one name are told apart.
std::vector<StoredInput> stored_inputs(const LoadedScenario& loaded);

/// The whole scenario with all defaults and --set filled in, `like` written out and files below inputs/: running it
/// beside them gives the same result.
std::string resolved_ini(const LoadedScenario& loaded);

}  // namespace windrow
