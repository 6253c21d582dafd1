#pragma once

#include <string>
#include <vector>

#include "sim/keys/scenario_text.h"
#include "sim/resolve/input_files.h"
#include "sim/scenario/scenario.h"
#include "sim/schema/schema.h"

namespace windrow {

/// Runs the scenario's CQL and applies [table.T] options to it; mistakes are ScenarioErrors with the CQL's line.
Schema load_schema(const ScenarioText& text, InputFiles& files);

/// Tables that a stream or a [table.T] names, in the order of the schema.
std::vector<TableSpec> resolve_tables(const ScenarioText& text, const Schema& schema, Micros start_us,
                                      InputFiles& files);

/// Position among `tables` of a name (`table` or `keyspace.table`); refuses one that is none, naming the nearest.
int find_table(const std::vector<TableSpec>& tables, const std::string& name, const SettingBase& setting);

/// ALTER TABLE statements of [change.NAME], in order of time, each with the table that it makes.
std::vector<ChangeSpec> resolve_changes(const ScenarioText& text, const Schema& schema,
                                        const std::vector<TableSpec>& tables, Micros start_us, Micros end_us);

/// The data centres; replication in the schema's keyspaces must agree with them.
std::vector<DataCenter> resolve_data_centers(const ScenarioText& text, const Schema& schema,
                                             const std::vector<TableSpec>& tables);

}  // namespace windrow
