#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sim/lint/finding.h"

namespace windrow {

/// A rule that there is none of, an allowance without a reason, a baseline that is none; what() is the whole message.
struct AllowError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The rule of this name, or an AllowError with the nearest; `where` said it.
const LintRule& rule_named(std::string_view id, std::string_view where);

/// Leaves out what is allowed where it stands: `-- windrow: allow RULE reason` (in scenarios behind a #) speaks of its
/// own line, and in CQL of the statement that it stands in or before, in a scenario of the section. Throws AllowError.
void leave_out_allowed(std::vector<Finding>& findings, const std::vector<std::shared_ptr<const SourceText>>& texts);

/// Leaves out findings of these rules. Throws AllowError.
void leave_out_rules(std::vector<Finding>& findings, std::span<const std::string> rules);

/// Leaves out findings that an earlier `lint --format json` had: of the same rule, file, table and message; lines may
/// have moved. Throws AllowError.
void leave_out_known(std::vector<Finding>& findings, std::string_view baseline_json, const std::string& file);

}  // namespace windrow
