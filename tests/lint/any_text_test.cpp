#include <doctest/doctest.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "sim/lint/lint.h"
#include "tests/support/xz.h"

namespace windrow {
namespace {

TEST_CASE("any text is linted: findings lie inside it, and every output can be read") {
  const std::string packed = test::read_xz("tests/data/cql-corpus/corpus.xz");
  std::string_view left = packed;
  int inputs = 0;
  while (!left.empty()) {
    std::size_t length = 0;
    const auto [end, error] = std::from_chars(left.data(), left.data() + left.size(), length);
    REQUIRE(error == std::errc{});
    left.remove_prefix(static_cast<std::size_t>(end - left.data()) + 1);
    const std::vector<Finding> findings = lint_cql("fuzz.cql", left.substr(0, length));
    for (const Finding& finding : findings) {
      CHECK(finding.place.line >= 1);
      CHECK(finding.place.column >= 1);
      CHECK_FALSE(finding.message.empty());
    }
    if (inputs % 20 == 0) {
      CHECK(nlohmann::json::parse(findings_as_json(findings)).at("findings").size() == findings.size());
      CHECK(nlohmann::json::parse(findings_as_sarif(findings, "0")).at("runs").size() == 1);
      CHECK_FALSE(findings_as_text(findings).empty());
    }
    left.remove_prefix(length);
    ++inputs;
  }
  CHECK(inputs > 1'000);
}

}  // namespace
}  // namespace windrow
