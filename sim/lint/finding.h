#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/words/source_text.h"

namespace windrow {

enum class Severity { note, warning, error };
std::string_view severity_name(Severity severity);

struct LintSubject;
struct LintTable;
class Report;

/// Something that will hurt, described once: the catalog, docs/findings.md, every output and SARIF's rules read it
/// here.
struct LintRule {
  std::string_view id{};
  Severity severity = Severity::warning;
  std::string_view what{};  // one line, without a full stop
  std::string_view why{};   // what it leads to
  std::string_view fix{};   // what to do
  std::string_view seen{};  // when it is found: the condition in words
  /// Null: found while the files are read.
  void (*find)(const LintTable& table, const LintSubject& subject, Report& report) = nullptr;
};

/// One place where it does.
struct Finding {
  const LintRule* rule = nullptr;
  Place place{};
  std::string table{};
  std::string message{};  // with this table's numbers
  std::string fix{};      // for this table; else the rule's
};

/// What a rule's find() writes to.
class Report {
 public:
  Report(const LintRule& rule, std::string table, std::vector<Finding>& findings)
      : rule_(rule), table_(std::move(table)), findings_(findings) {}
  void add(Place place, std::string message, std::string fix = {}) {
    findings_.push_back({.rule = &rule_,
                         .place = std::move(place),
                         .table = table_,
                         .message = std::move(message),
                         .fix = std::move(fix)});
  }

 private:
  const LintRule& rule_;
  std::string table_{};
  std::vector<Finding>& findings_;
};

}  // namespace windrow
