#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "sim/lint/lint.h"
#include "tests/support/cql_corpus.h"

namespace windrow {
namespace {

TEST_CASE("any text is linted: findings lie inside it, and every output can be read") {
  const int inputs = test::each_of_cql_corpus([](std::string_view input, int number) {
    const std::vector<Finding> findings = lint_cql("fuzz.cql", input);
    for (const Finding& finding : findings) {
      CHECK(finding.place.line >= 1);
      CHECK(finding.place.column >= 1);
      CHECK_FALSE(finding.message.empty());
    }
    if (number % 20 == 0) {
      CHECK(nlohmann::json::parse(findings_as_json(findings)).at("findings").size() == findings.size());
      CHECK(nlohmann::json::parse(findings_as_sarif(findings, "0")).at("runs").size() == 1);
      CHECK_FALSE(findings_as_text(findings).empty());
    }
  });
  CHECK(inputs > 1'000);
}

}  // namespace
}  // namespace windrow
