#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/lint/finding.h"
#include "sim/resolve/load_scenario.h"

namespace windrow {

/// What is found in a CQL file, in the order of its lines. What the server would refuse is a finding too, and the only
/// one.
std::vector<Finding> lint_cql(std::string_view file, std::string_view text);
/// What is found in a scenario and its schema.
std::vector<Finding> lint_scenario(const LoadedScenario& scenario);

/// "file:line:column: severity: …", the line with carets, why and fix; and a count at the end.
std::string findings_as_text(const std::vector<Finding>& findings);
std::string findings_as_json(const std::vector<Finding>& findings);
/// SARIF 2.1.0.
std::string findings_as_sarif(const std::vector<Finding>& findings, std::string_view version);

}  // namespace windrow
