#include "evidence/captures/capture_ddl.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/xz.h"

namespace windrow {
namespace {

struct Recording {
  std::string name{};
  std::string cql{};
  std::string json{};
};

std::vector<Recording> recordings() {
  std::vector<Recording> all;
  std::istringstream lines(test::read_xz("tests/data/ddl/recorded.jsonl.xz"));
  for (std::string line; std::getline(lines, line);) {
    const auto parsed = nlohmann::json::parse(line);
    all.push_back({parsed.at("name"), parsed.at("cql"), parsed.at("recorded").dump()});
  }
  return all;
}

TEST_CASE("every recorded file gets the server's verdict, class, statement, columns, options and DESCRIBE text") {
  const std::vector<Recording> all = recordings();
  CHECK(all.size() >= 125);
  for (const Recording& recording : all) {
    CAPTURE(recording.name);
    CAPTURE(recording.cql);
    for (const Disagreement& found : verify_capture_ddl(recording.name, recording.cql, recording.json))
      FAIL_CHECK(found.field << "\n  expected " << found.expected << "\n  ours     " << found.ours);
  }
}

TEST_CASE("a changed recording is noticed") {
  for (const Recording& recording : recordings()) {
    auto changed = nlohmann::json::parse(recording.json);
    if (changed.at("verdict") == "rejected") {
      changed["statement"] = changed.at("statement").get<int>() + 1;
    } else if (!changed.at("tables").empty()) {
      changed["tables"][0]["options"]["gc_grace_seconds"] = 1;
    } else {
      continue;
    }
    CAPTURE(recording.name);
    CHECK_FALSE(verify_capture_ddl(recording.name, recording.cql, changed.dump()).empty());
  }
}

}  // namespace
}  // namespace windrow
