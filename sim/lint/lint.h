#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/lint/finding.h"
#include "sim/resolve/load_scenario.h"

namespace windrow {

/// What is found in a CQL file, in the order of its lines. What the server would refuse is a finding too; the tables of
/// the other statements are looked at all the same. Comments that allow a rule leave it out (allowed.h).
std::vector<Finding> lint_cql(std::string_view file, std::string_view text);
/// The same of files that are applied one after the other, as migrations are.
std::vector<Finding> lint_migrations(const std::vector<std::shared_ptr<const SourceText>>& files);
/// False for a text without a statement: it is empty, or comments only.
bool holds_statements(std::string_view text);
/// What is found in a scenario and its schema.
std::vector<Finding> lint_scenario(const LoadedScenario& scenario);

/// "file:line:column: severity: …", the line with carets, why and fix; and a count at the end.
std::string findings_as_text(const std::vector<Finding>& findings);
std::string findings_as_json(const std::vector<Finding>& findings);
/// What `windrow explain RULE` says.
std::string rule_as_text(const LintRule& rule);
/// SARIF 2.1.0.
std::string findings_as_sarif(const std::vector<Finding>& findings, std::string_view version);

}  // namespace windrow
