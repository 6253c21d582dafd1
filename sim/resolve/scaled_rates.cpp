#include "sim/resolve/scaled_rates.h"

#include <algorithm>
#include <optional>

#include "sim/resolve/resolve_streams.h"

namespace windrow {

Scenario with_rates_times(const LoadedScenario& loaded, double factor) {
  InputFiles files([&](const std::string& name) -> std::optional<std::string> {
    const auto found = std::ranges::find(loaded.inputs, name, [](const auto& source) { return source->name; });
    return found == loaded.inputs.end() ? std::nullopt : std::optional((*found)->text);
  });
  Scenario scaled = loaded.scenario;
  scaled.writers = resolve_streams(loaded.text, scaled.tables, scaled.start_us, scaled.end_us, files, factor);
  return scaled;
}

}  // namespace windrow
