#include "sim/resolve/load_scenario.h"

#include <utility>

#include "sim/resolve/resolve_operators.h"
#include "sim/resolve/resolve_ring.h"
#include "sim/resolve/resolve_streams.h"
#include "sim/resolve/resolve_tables.h"
#include "sim/resolve/stream_family.h"

namespace windrow {

namespace {

std::string stem(std::string_view file) {
  const std::size_t slash = file.find_last_of('/');
  std::string_view name = slash == std::string_view::npos ? file : file.substr(slash + 1);
  if (name.ends_with(".ini")) name.remove_suffix(4);
  return std::string(name);
}

}  // namespace

LoadedScenario load_scenario(std::string_view file, std::string_view text, std::span<const std::string> assignments,
                             const ReadFile& read) {
  LoadedScenario loaded;
  InputFiles files(read);
  loaded.text = read_scenario_text(file, text, assignments);
  resolve_like(loaded.text.streams);
  loaded.schema = load_schema(loaded.text, files);

  const RunSection& run = loaded.text.run;
  Scenario& scenario = loaded.scenario = run.values;
  if (scenario.name.empty()) scenario.name = stem(file);
  if (scenario.title.empty()) scenario.title = scenario.name;
  scenario.end_us = scenario.start_us + run.length->us;
  scenario.tables = resolve_tables(loaded.text, loaded.schema, scenario.start_us, files);
  if (!scenario.tables.empty()) scenario.keyspace = scenario.tables.front().schema.keyspace;
  scenario.node = loaded.text.node.values;
  scenario.data_centers = resolve_data_centers(loaded.text, loaded.schema, scenario.tables);
  scenario.ring = resolve_ring(loaded.text, loaded.schema, scenario, files);
  scenario.writers = resolve_streams(loaded.text, scenario.tables, scenario.start_us, scenario.end_us, files);
  scenario.changes = resolve_changes(loaded.text, loaded.schema, scenario.tables, scenario.start_us, scenario.end_us);
  scenario.actions = resolve_actions(loaded.text, scenario);
  scenario.reads = resolve_reads(loaded.text, scenario);
  scenario.repairs = resolve_repairs(loaded.text, scenario);
  scenario.outages = resolve_outages(loaded.text, scenario);
  scenario.limits = resolve_limits(loaded.text, scenario);
  loaded.inputs = files.opened();
  return loaded;
}

}  // namespace windrow
