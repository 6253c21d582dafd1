#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/xz.h"
#include "tests/witness/lib/compare.h"
#include "tests/witness/lib/harness.h"

namespace windrow::witness {
namespace {

/// Plays every scenario of a folder that begins so and compares with its recording; returns how many there were.
int reproduce(const std::string& folder, std::string_view prefix = "") {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder + "/scenarios")) {
    const std::string name = entry.path().stem().string();
    if (name.starts_with(prefix)) names.push_back(name);
  }
  std::ranges::sort(names);
  for (const std::string& name : names) {
    CAPTURE(name);
    const OracleScenario scenario = parse_oracle_scenario(test::read_file(folder + "/scenarios/" + name + ".ini"));
    const Trace recorded = parse_trace(test::read_xz(folder + "/traces/" + name + "/trace.jsonl.xz"));
    const bool uncompressed = scenario.table.find("'enabled': 'false'") != std::string::npos;
    const std::vector<Disagreement> found = compare(recorded, play(scenario, uncompressed ? nullptr : &recorded));
    CHECK_MESSAGE(found.empty(), text_of(found));
  }
  return static_cast<int>(names.size());
}

TEST_CASE("every recording is reproduced from its scenario, in every field of every event") {
  CHECK(reproduce("tests/oracle") == 44);
}

TEST_CASE("every recording of a random scenario is reproduced from its scenario") {
  CHECK(reproduce("tests/oracle-random") == 29);
}

TEST_CASE("every recording with static columns is reproduced") { CHECK(reproduce("tests/oracle-static") == 6); }

TEST_CASE("the recordings of changes of level are reproduced") {
  CHECK(reproduce("tests/oracle-tasks", "uplevel_") == 5);
}

}  // namespace
}  // namespace windrow::witness
