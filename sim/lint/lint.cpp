#include "sim/lint/lint.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "sim/cql/script.h"
#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"

namespace windrow {

namespace {

std::vector<Finding> find_all(const LintSubject& subject) {
  std::vector<Finding> findings;
  for (const LintTable& table : subject.tables) {
    // Tables that a scenario does not write are somebody else's.
    if (subject.scenario != nullptr && !table.written()) continue;
    for (const LintRule* rule : lint_rules()) {
      if (rule->find == nullptr) continue;
      Report report(*rule, table.schema->name, findings);
      rule->find(table, subject, report);
    }
  }
  const auto place = [](const Finding& finding) {
    return std::tuple(finding.place.file(), finding.place.line, finding.place.column);
  };
  std::ranges::stable_sort(findings, {}, place);
  return findings;
}

}  // namespace

std::vector<Finding> lint_cql(std::string_view file, std::string_view text) {
  const auto source =
      std::make_shared<const SourceText>(SourceText{.name = std::string(file), .text = std::string(text)});
  Schema schema;
  const ScriptResult result = run_cql(text, schema);
  if (result.error) {
    const CqlComplaint& complaint = result.error->complaint;
    std::string message = complaint.message;
    if (!complaint.accepted.empty()) message += "; accepts " + complaint.accepted;
    if (!complaint.nearest.empty()) message += "; did you mean " + complaint.nearest + "?";
    std::string_view covered = text.substr(std::min(complaint.at.offset, text.size()), complaint.at.length);
    covered = covered.substr(0, covered.find('\n'));
    const Place place{.source = source,
                      .line = result.error->line,
                      .column = result.error->column,
                      .length = std::max(1, count_characters(covered))};
    return {{.rule = &server_refuses, .place = place, .message = std::move(message), .fix = complaint.fix}};
  }
  return find_all(lint_subject(schema, source));
}

std::vector<Finding> lint_scenario(const LoadedScenario& scenario) { return find_all(lint_subject(scenario)); }

}  // namespace windrow
