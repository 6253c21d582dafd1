#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/schema/schema.h"
#include "sim/words/setting.h"
#include "sim/words/source_text.h"

namespace windrow {

/// Runs a CQL file over `schema`; what the server would refuse is a ScenarioError at its line.
void run_cql_file(const std::shared_ptr<const SourceText>& file, Schema& schema, bool allow_unsafe_expiration);

/// Runs one ALTER TABLE of a scenario over `schema` and returns keyspace and name of the table that it changes. Other
/// statements, and what the server would refuse, are ScenarioErrors at the setting.
std::pair<std::string, std::string> run_alter(const Setting<Text>& cql, Schema& schema, bool allow_unsafe_expiration);

/// The setting that a complaint of CQL is about.
using BlamedSetting = std::function<const SettingBase*(const std::string& message)>;
/// Options of a table with `name = value AND …` over them; what the server would refuse is a ScenarioError at the
/// setting that is to blame. `keys`: what else stands beside such options and may have been meant.
TableOptions override_options(const std::string& properties, const TableOptions& base, const BlamedSetting& blamed,
                              bool allow_unsafe_expiration, const std::vector<std::string>& keys);

}  // namespace windrow
