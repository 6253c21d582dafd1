#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "sim/lint/catalog.h"
#include "sim/lint/lint.h"
#include "tests/support/xz.h"

namespace windrow {
namespace {

namespace fs = std::filesystem;
constexpr const char* table_file = "tests/data/lint/expected.txt";

std::string ids_by_rule(const std::vector<Finding>& findings) {
  std::vector<std::string_view> names;
  for (const LintRule* rule : lint_rules()) {
    for (const Finding& finding : findings) {
      if (finding.rule == rule) names.push_back(rule->id);
    }
  }
  return names.empty() ? "nothing" : fmt::format("{}", fmt::join(names, " "));
}

std::map<std::string, std::string> found_in_scenarios() {
  std::map<std::string, std::string> found;
  for (const auto& entry : fs::directory_iterator("scenarios")) {
    if (entry.path().extension() != ".ini") continue;
    const std::string name = entry.path().string();
    const auto read = [](const std::string& file) { return std::optional(test::read_file("scenarios/" + file)); };
    found[name] = ids_by_rule(lint_scenario(load_scenario(name, test::read_file(name), {}, read)));
  }
  return found;
}

/// The data definition that five articles print, each statement behind those it needs.
std::map<std::string, std::string> found_in_articles() {
  std::map<std::string, std::string> found;
  std::istringstream lines(test::read_xz("tests/data/ddl/recorded.jsonl.xz"));
  for (std::string line; std::getline(lines, line);) {
    const auto recorded = nlohmann::json::parse(line);
    const std::string name = recorded.at("name");
    if (!name.starts_with("seeds/")) continue;
    const std::string text =
        recorded.at("recorded").value("prelude", "") + "\n" + recorded.at("cql").get<std::string>();
    found[name] = ids_by_rule(lint_cql(name, text));
  }
  return found;
}

std::string as_text(const std::map<std::string, std::string>& found) {
  std::string text;
  for (const auto& [name, findings] : found) text += fmt::format("{:<33} {}\n", name, findings);
  return text;
}

TEST_CASE("every scenario and every article's schema has the findings of the table") {
  std::string text =
      "# What windrow lint finds in each scenario and in the schemas of five articles; findings in the order of the "
      "catalog.\n";
  text += as_text(found_in_scenarios()) + as_text(found_in_articles());
  if (std::getenv("UPDATE_GOLDEN") != nullptr) {
    std::ofstream(table_file, std::ios::binary) << text;
    return;
  }
  CHECK(text == test::read_file(table_file));
}

TEST_CASE("docs/findings.md is what the catalog writes") {
  if (std::getenv("UPDATE_GOLDEN") != nullptr) {
    std::ofstream("docs/findings.md", std::ios::binary) << findings_as_markdown();
    return;
  }
  CHECK(findings_as_markdown() == test::read_file("docs/findings.md"));
}

TEST_CASE("json and SARIF hold every finding with its place") {
  const std::vector<Finding> findings =
      lint_cql("a \"b\".cql",
               "CREATE TABLE t (id int, at timestamp, v double, PRIMARY KEY (id, at)) WITH gc_grace_seconds = 0;");
  const auto json = nlohmann::json::parse(findings_as_json(findings));
  REQUIRE(json.at("findings").size() == findings.size());
  CHECK(json.at("errors") == 1);
  CHECK(json.at("warnings") == 2);
  const auto sarif = nlohmann::json::parse(findings_as_sarif(findings, "1.2.3"));
  CHECK(sarif.at("version") == "2.1.0");
  const auto& run = sarif.at("runs").at(0);
  CHECK(run.at("tool").at("driver").at("rules").size() == lint_rules().size());
  REQUIRE(run.at("results").size() == findings.size());
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const auto& result = run.at("results").at(i);
    const auto index = result.at("ruleIndex").get<std::size_t>();
    CHECK(run.at("tool").at("driver").at("rules").at(index).at("id") == result.at("ruleId"));
    const auto& region = result.at("locations").at(0).at("physicalLocation").at("region");
    CHECK(result.at("locations").at(0).at("physicalLocation").at("artifactLocation").at("uri") == "a%20%22b%22.cql");
    CHECK(region.at("startLine") == findings[i].place.line);
    CHECK(region.at("endColumn").get<int>() > region.at("startColumn").get<int>());
  }
  CHECK(findings_as_text({}) == "nothing found\n");
}

}  // namespace
}  // namespace windrow
