#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "sim/lint/catalog.h"
#include "sim/lint/lint.h"

namespace windrow {

namespace {

using Json = nlohmann::ordered_json;

std::string_view fix_of(const Finding& finding) {
  return finding.fix.empty() ? finding.rule->fix : std::string_view(finding.fix);
}

std::string whole_message(const Finding& finding) {
  return finding.table.empty() ? finding.message : fmt::format("{}: {}", finding.table, finding.message);
}

/// A message may quote what somebody wrote.
std::string cut(const std::string& text) {
  constexpr int longest = 400;
  const std::size_t end = byte_of_character(text, longest);
  return end < text.size() ? text.substr(0, end) + "…" : text;
}

std::string excerpt(const Place& place) {
  if (!place.source || place.line == 0) return {};
  const std::string_view whole = place.source->line(place.line);
  // Of a long line what stands around the place.
  constexpr int before = 60;
  constexpr int longest = 160;
  const int first = count_characters(whole) > longest ? std::max(0, place.column - 1 - before) : 0;
  const std::size_t from = byte_of_character(whole, first);
  const std::size_t to = byte_of_character(whole, first + longest);
  const std::string line =
      (first > 0 ? "…" : "") + shown_in_place(whole.substr(from, to - from)) + (to < whole.size() ? "…" : "");
  const int at = std::max(0, place.column - 1 - first) + (first > 0 ? 1 : 0);
  const int length = std::clamp(place.length, 1, std::max(1, longest - at));
  return fmt::format("{:>6} | {}\n       | {}{}\n", place.line, line, std::string(static_cast<std::size_t>(at), ' '),
                     std::string(static_cast<std::size_t>(length), '^'));
}

/// A relative reference (RFC 3986): what may not stand in a path is written as %XX.
std::string as_uri(std::string_view path) {
  static constexpr std::string_view kept = "-._~/!$&'()*+,;=@";
  std::string uri;
  for (const char c : path) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (plain || kept.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return uri;
}

std::string summary(const std::vector<Finding>& findings) {
  std::string text;
  for (const Severity severity : {Severity::error, Severity::warning, Severity::note}) {
    const auto count =
        std::ranges::count_if(findings, [&](const Finding& finding) { return finding.rule->severity == severity; });
    if (count == 0) continue;
    text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", count, severity_name(severity), count == 1 ? "" : "s");
  }
  return text.empty() ? "nothing found" : text;
}

}  // namespace

std::string findings_as_text(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) {
    const Place& place = finding.place;
    text += fmt::format("{}:{}:{}: {}: {} [{}]\n", place.file(), place.line, place.column,
                        severity_name(finding.rule->severity), shown_in_place(cut(whole_message(finding))),
                        finding.rule->id);
    text += excerpt(place);
    text +=
        fmt::format("  why: {}\n  fix: {}\n\n", finding.rule->why, shown_in_place(cut(std::string(fix_of(finding)))));
  }
  return text + summary(findings) + "\n";
}

std::string findings_as_json(const std::vector<Finding>& findings) {
  Json json;
  json["findings"] = Json::array();
  for (const Finding& finding : findings) {
    json["findings"].push_back({{"id", finding.rule->id},
                                {"severity", severity_name(finding.rule->severity)},
                                {"file", finding.place.file()},
                                {"line", finding.place.line},
                                {"column", finding.place.column},
                                {"length", finding.place.length},
                                {"table", finding.table},
                                {"message", finding.message},
                                {"why", finding.rule->why},
                                {"fix", fix_of(finding)}});
  }
  for (const Severity severity : {Severity::error, Severity::warning, Severity::note}) {
    json[fmt::format("{}s", severity_name(severity))] =
        std::ranges::count_if(findings, [&](const Finding& finding) { return finding.rule->severity == severity; });
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string findings_as_sarif(const std::vector<Finding>& findings, std::string_view version) {
  Json rules = Json::array();
  for (const LintRule* rule : lint_rules()) {
    rules.push_back({{"id", rule->id},
                     {"shortDescription", {{"text", rule->what}}},
                     {"fullDescription", {{"text", rule->why}}},
                     {"help", {{"text", rule->fix}}},
                     {"defaultConfiguration", {{"level", severity_name(rule->severity)}}}});
  }
  Json results = Json::array();
  for (const Finding& finding : findings) {
    const auto rule = std::ranges::find(lint_rules(), finding.rule);
    const Json region = {{"startLine", std::max(1, finding.place.line)},
                         {"startColumn", std::max(1, finding.place.column)},
                         {"endColumn", std::max(1, finding.place.column) + std::max(1, finding.place.length)}};
    results.push_back(
        {{"ruleId", finding.rule->id},
         {"ruleIndex", rule - lint_rules().begin()},
         {"level", severity_name(finding.rule->severity)},
         {"message", {{"text", fmt::format("{}. {}", whole_message(finding), fix_of(finding))}}},
         {"locations",
          Json::array({{{"physicalLocation",
                         {{"artifactLocation", {{"uri", as_uri(finding.place.file())}}}, {"region", region}}}}})}});
  }
  const Json sarif = {
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs",
       Json::array({{{"tool", {{"driver", {{"name", "windrow"}, {"version", version}, {"rules", std::move(rules)}}}}},
                     {"columnKind", "unicodeCodePoints"},
                     {"results", std::move(results)}}})}};
  return sarif.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string rule_as_text(const LintRule& rule) {
  return fmt::format("{} ({})\n{}.\n\nfound when: {}\n\nwhy: {}\n\nfix: {}\n", rule.id, severity_name(rule.severity),
                     rule.what, rule.seen, rule.why, rule.fix);
}

}  // namespace windrow
