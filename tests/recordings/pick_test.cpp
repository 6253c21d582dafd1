#include "evidence/recordings/pick.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/oracle_cql.h"
#include "tests/support/played_tokens.h"
#include "tests/support/xz.h"

namespace windrow {
namespace {

std::vector<std::string> trace_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator("tests/oracle/traces")) {
    names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

PickResult verify_trace(const std::string& name) {
  const OracleScenario scenario = parse_oracle_scenario(test::read_file("tests/oracle/scenarios/" + name + ".ini"));
  const Trace trace = parse_trace(test::read_xz("tests/oracle/traces/" + name + "/trace.jsonl.xz"));
  const ApplyCql apply_cql = [&](PickSettings& settings, std::string_view cql) {
    test::apply_oracle_cql(settings, cql, scenario.allow_unsafe_aggressive_sstable_expiration);
  };
  PickResult result = verify_picks(scenario, trace, apply_cql);
  CHECK_MESSAGE(result.disagreements.empty(), name, ": without the partitions of the files");
  if (result.unknown == 0) return result;
  const test::PlayedTokens tokens(scenario, trace);
  return verify_picks(scenario, trace, apply_cql, &tokens);
}

TEST_CASE("every call of the strategies answers as the engine did") {
  const std::vector<std::string> names = trace_names();
  CHECK(names.size() == 44);
  PickResult sum;
  for (const std::string& name : names) {
    const PickResult result = verify_trace(name);
    sum.picks += result.picks;
    sum.nulls += result.nulls;
    sum.ties += result.ties;
    sum.unknown += result.unknown;
    std::string first;
    if (!result.disagreements.empty()) {
      const PickDisagreement& d = result.disagreements.front();
      first = fmt::format("t={} pick {}: {}: engine {}, ours {} by {}; {}", d.t_s, d.pick, d.what, d.expected, d.ours,
                          d.rule, d.state);
    }
    CHECK_MESSAGE(result.disagreements.empty(), name, ": ", first);
  }
  CHECK(sum.picks == 10'618);
  CHECK(sum.nulls == 42'173);
  CHECK(sum.unknown == 0);
  CHECK(sum.ties == 0);
}

TEST_CASE("a commit that a recording lacks is told, and ends the replay of its task") {
  const OracleScenario scenario = parse_oracle_scenario(test::read_file("tests/oracle/scenarios/stcs_delayed.ini"));
  Trace trace = parse_trace(test::read_xz("tests/oracle/traces/stcs_delayed/trace.jsonl.xz"));
  const auto commit = std::ranges::find_if(
      trace.events, [](const TraceEvent& event) { return std::holds_alternative<TraceCommit>(event); });
  REQUIRE(commit != trace.events.end());
  const std::int64_t pick = std::get<TraceCommit>(*commit).pick;
  trace.events.erase(commit, trace.events.end() - 1);
  const PickResult result = verify_picks(scenario, trace, [&](PickSettings& settings, std::string_view cql) {
    test::apply_oracle_cql(settings, cql, scenario.allow_unsafe_aggressive_sstable_expiration);
  });
  REQUIRE(!result.disagreements.empty());
  CHECK(result.disagreements.front().ours == fmt::format("a commit of pick {}", pick));
}

}  // namespace
}  // namespace windrow
