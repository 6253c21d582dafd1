#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/resolve/load_scenario.h"

namespace windrow {

/// Who asks for something: a setting, or a section.
struct Asked {
  Place place{};
  std::string key{};
};

/// Something that a scenario can say and a run does not act on yet. The one list of them: a row goes when the engine
/// acts.
struct NotModelled {
  std::string what{};
  std::string instead{};  // what to write; empty: a scenario without it
  std::function<std::optional<Asked>(const LoadedScenario&)> asked_by{};
};
const std::vector<NotModelled>& what_is_not_modelled();

/// To be called before a run: refuses a scenario that asks for any of it, at the first place that does.
void refuse_what_is_not_modelled(const LoadedScenario& loaded);

}  // namespace windrow
