#include "sim/resolve/resolve_operators.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/nearest.h"
#include "sim/limits/limits.h"
#include "sim/resolve/resolve_tables.h"
#include "sim/words/scenario_error.h"

namespace windrow {

namespace {

void check_within(const SettingBase& written, Micros at_us, const Scenario& scenario) {
  if (at_us >= scenario.start_us && at_us < scenario.end_us) return;
  refuse(written, "is outside the run",
         fmt::format("from {} to before {}", format_moment(scenario.start_us), format_moment(scenario.end_us)));
}

}  // namespace

std::vector<ActionSpec> resolve_actions(const ScenarioText& text, const Scenario& scenario) {
  std::vector<ActionSpec> actions;
  for (const auto& [name, place, section] : text.actions) {
    check_within(section.setting("at"), section.values.at_us, scenario);
    actions.push_back(section.values);
    actions.back().name = name;
    if (section.table.present()) actions.back().table = find_table(scenario.tables, section.table->name, section.table);
  }
  std::ranges::stable_sort(actions, {}, &ActionSpec::at_us);
  return actions;
}

std::vector<RepairSpec> resolve_repairs(const ScenarioText& text, const Scenario& scenario) {
  std::vector<RepairSpec> repairs;
  for (const auto& [name, place, section] : text.repairs) {
    RepairSpec repair = section.values;
    repair.name = name;
    for (const std::string& table : section.tables->names)
      repair.tables.push_back(find_table(scenario.tables, table, section.tables));
    const int all = repair.tables.empty() ? static_cast<int>(scenario.tables.size()) : 0;
    for (int i = 0; i < all; ++i) repair.tables.push_back(i);
    const SettingBase& from = section.setting("from");
    if (from.present()) check_within(from, repair.from_us, scenario);
    if (!from.present()) repair.from_us = scenario.start_us + repair.every_us;
    const SettingBase& throughput = section.setting("throughput");
    if (section.setting("takes").present() && throughput.present())
      refuse(throughput, "is given beside `takes`", "either `takes = TIME` or `throughput = BYTES/s`");
    if (!section.setting("takes").present() && !throughput.present())
      refuse_missing(place, "repair." + name + ".takes", "either `takes = TIME` or `throughput = BYTES/s`");
    if (section.skip.present()) {
      repair.skip_from_us = section.skip->from_us;
      repair.skip_to_us = section.skip->to_us;
    }
    repairs.push_back(std::move(repair));
  }
  return repairs;
}

std::vector<LimitSpec> resolve_limits(const ScenarioText& text, const Scenario& scenario) {
  std::vector<LimitSpec> limits;
  for (const auto& [name, place, section] : text.limits) {
    int table = -1;
    if (!name.empty()) {
      std::vector<std::string> names;
      for (std::size_t i = 0; i < scenario.tables.size(); ++i) {
        names.push_back(scenario.tables[i].name);
        if (names.back() == name) table = static_cast<int>(i);
      }
      if (table < 0)
        throw ScenarioError({.place = place,
                             .key = "limits." + name,
                             .value = name,
                             .problem = "is no table that a stream writes",
                             .accepted = "[limits], or [limits.TABLE]",
                             .nearest = std::string(nearest_name(name, names))});
    }
    for (const Limit& limit : all_limits) {
      const auto bound = section.values.find(limit.key);
      if (bound != section.values.end())
        limits.push_back({.name = std::string(limit.key), .table = table, .value = bound->second});
    }
  }
  return limits;
}

}  // namespace windrow
