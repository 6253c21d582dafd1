#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/check.h"
#include "sim/resolve/load_scenario.h"
#include "sim/resolve/resolved_ini.h"
#include "sim/words/scenario_error.h"

namespace windrow {

/// The scanner and the readers of values: any text is a scenario or a ScenarioError that says what is wrong, and what
/// is accepted must resolve to itself. A text that begins with `=` sets one key, named by its first line, of a scenario
/// that is right otherwise; what follows its second line is every CSV file.
class AnyScenario {
 public:
  explicit AnyScenario(std::string_view text) {
    if (!text.starts_with('=')) {
      load(text, {});
      return;
    }
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return;
    const std::size_t file = text.find('\n', end + 1);
    if (file != std::string_view::npos) csv_ = text.substr(file + 1);
    const std::string key(text.substr(1, end - 1));
    load(scenario, {key + "=" + std::string(text.substr(end + 1, file - end - 1))});
  }

 private:
  static constexpr std::string_view cql =
      "CREATE TABLE readings (device text, day text, bucket int, at timestamp, value double, note text, tags map<text, "
      "text>, PRIMARY KEY ((device, day, bucket), at));";
  static constexpr std::string_view scenario =
      "[run]\nschema = t.cql\nlength = 30d\n[stream.readings]\ntable = readings\nentities = 10\nrate = "
      "1/min\ncolumn.day = day\ncolumn.bucket = shard(4)\ncolumn.note = text(20)\ncolumn.tags = map(2, text(3), "
      "text(4))\n[stream.more]\nlike = readings\nentities = named(x, y)\n";

  std::optional<std::string> read(const std::string& name) const {
    return name.ends_with(".cql") ? std::string(cql) : csv_;
  }

  void load(std::string_view text, const std::vector<std::string>& assignments) const {
    const ReadFile files = [this](const std::string& name) { return read(name); };
    std::string ini;
    try {
      ini = resolved_ini(load_scenario("any.ini", text, assignments, files));
    } catch (const ScenarioError& error) {
      SIM_CHECK(!error.mistake().problem.empty(), "a mistake without a message");
      return;
    }
    SIM_CHECK(resolved_ini(load_scenario("any.ini", ini, {}, files)) == ini, "resolved twice, resolved differently");
  }

  std::string csv_{};
};

}  // namespace windrow
