#include "sim/lint/lint.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "sim/cql/parser.h"
#include "sim/cql/script.h"
#include "sim/lint/allowed.h"
#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"

namespace windrow {

namespace {

void sort_by_place(std::vector<Finding>& findings) {
  const auto place = [](const Finding& finding) {
    return std::tuple(finding.place.file(), finding.place.line, finding.place.column);
  };
  std::ranges::stable_sort(findings, {}, place);
}

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
  sort_by_place(findings);
  return findings;
}

Finding refusal(const std::shared_ptr<const SourceText>& file, const CqlError& error) {
  const CqlComplaint& complaint = error.complaint;
  std::string message = complaint.message;
  if (!complaint.accepted.empty()) message += "; accepts " + complaint.accepted;
  if (!complaint.nearest.empty()) message += "; did you mean " + complaint.nearest + "?";
  return {.rule = &server_refuses,
          .place = place_in(file, complaint.at),
          .message = std::move(message),
          .fix = complaint.fix};
}

/// CREATE [OR REPLACE] FUNCTION or AGGREGATE.
bool makes_function(const std::vector<CqlToken>& tokens) {
  const auto is = [&](std::size_t i, std::string_view word) {
    return i < tokens.size() && std::ranges::equal(tokens[i].text, word, [](char c, char upper) {
             return c == upper || (c >= 'a' && c <= 'z' && c - 'a' + 'A' == upper);
           });
  };
  const std::size_t what = is(1, "OR") ? 3 : 1;
  return is(0, "CREATE") && (is(what, "FUNCTION") || is(what, "AGGREGATE"));
}

/// What a node of 5.0 refuses unless its cassandra.yaml says otherwise.
void find_settings(const std::shared_ptr<const SourceText>& file, std::vector<Finding>& findings) {
  const auto add = [&](Span at, std::string message, std::string fix) {
    findings.push_back(
        {.rule = &needs_a_setting, .place = place_in(file, at), .message = std::move(message), .fix = std::move(fix)});
  };
  for (const std::vector<CqlToken>& tokens : split_statements(file->text)) {
    try {
      const Statement statement = parse_statement(tokens);
      if (const auto* view = std::get_if<CreateView>(&statement)) {
        add(view->name.at(),
            fmt::format("{} is a materialized view: off unless materialized_views_enabled is true",
                        view->name.name.text),
            "a second table, written by the application");
      } else if (const auto* index = std::get_if<CreateIndex>(&statement)) {
        if (index->class_name && index->class_name->text.ends_with("SASIIndex"))
          add(index->class_name->at, "a SASI index: off unless sasi_indexes_enabled is true",
              "write USING 'sai', without the options of SASI: it has no LIKE");
      } else if (const auto* other = std::get_if<OtherStatement>(&statement)) {
        if (makes_function(tokens))
          add(other->at, "a user-defined function: off unless user_defined_functions_enabled is true",
              "do it in the application");
      }
    } catch (const Refused&) {
      continue;  // a finding already
    }
  }
}

}  // namespace

std::vector<Finding> lint_cql(std::string_view file, std::string_view text) {
  return lint_migrations(
      {std::make_shared<const SourceText>(SourceText{.name = std::string(file), .text = std::string(text)})});
}

std::vector<Finding> lint_migrations(const std::vector<std::shared_ptr<const SourceText>>& files) {
  Schema schema;
  std::vector<Finding> findings;
  for (const auto& file : files) {
    for (const CqlError& error : run_all_cql(file->text, schema)) findings.push_back(refusal(file, error));
    find_settings(file, findings);
  }
  std::vector<Finding> of_tables = find_all(lint_subject(schema, files));
  findings.insert(findings.end(), std::make_move_iterator(of_tables.begin()), std::make_move_iterator(of_tables.end()));
  sort_by_place(findings);
  leave_out_allowed(findings, files);
  return findings;
}

bool holds_statements(std::string_view text) { return !split_statements(text).empty(); }

std::vector<Finding> lint_scenario(const LoadedScenario& scenario) {
  std::vector<Finding> findings = find_all(lint_subject(scenario));
  std::vector<std::shared_ptr<const SourceText>> texts = scenario.inputs;
  texts.push_back(scenario.text.source);
  std::erase_if(texts, [](const auto& text) { return !text->name.ends_with(".ini") && !text->name.ends_with(".cql"); });
  leave_out_allowed(findings, texts);
  return findings;
}

}  // namespace windrow
