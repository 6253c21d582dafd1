#include "tests/witness/lib/random_scenario.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>

#include "tests/witness/lib/compare.h"
#include "tests/witness/lib/harness.h"
#include "tests/witness/lib/shrink.h"

namespace windrow::witness {
namespace {

TEST_CASE("random scenarios are small, the harness accepts their text, and their text is all they are") {
  std::int64_t picks = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    const OracleScenario scenario = random_scenario(seed);
    CHECK(scenario.streams.size() <= 3);
    CHECK(scenario.end_s - scenario.start_s <= 3 * seconds_per_day);
    for (const OracleStream& stream : scenario.streams) CHECK(stream.entities <= 40);
    const OracleScenario read = parse_oracle_scenario(oracle_scenario_text(scenario));
    CHECK(oracle_scenario_text(read) == oracle_scenario_text(scenario));
    const Trace trace = play(scenario);
    const TraceEnd end = std::get<TraceEnd>(trace.events.back());
    CHECK(end.rows < 10'000);
    picks += end.picks;
    if (seed % 10 == 0) CHECK(compare(trace, play(read)).empty());
  }
  CHECK(picks > 2000);
}

TEST_CASE("random scenarios beyond recordings have every kind of write that recordings lack") {
  std::map<std::string, int> kinds;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    for (const OracleStream& stream : random_scenario_beyond(seed).streams) {
      const bool one_by_one = stream.delete_kind == DeleteKind::row || stream.delete_kind == DeleteKind::cell;
      kinds["shares"] += one_by_one && stream.delete_count > 1 ? 1 : 0;
      kinds["spans"] += one_by_one && stream.delete_to_s ? 1 : 0;
      kinds["events"] += stream.delete_by_event ? 1 : 0;
      kinds["history"] += stream.history_s > 0 ? 1 : 0;
    }
    const OracleScenario statics = random_scenario_of_statics(seed);
    CHECK(oracle_scenario_text(parse_oracle_scenario(oracle_scenario_text(statics))) == oracle_scenario_text(statics));
    for (const OracleStream& stream : statics.streams) {
      kinds["static columns with each row"] += stream.statics == OracleStream::Statics::each ? 1 : 0;
      kinds["static columns once"] += stream.statics == OracleStream::Statics::once ? 1 : 0;
    }
    const OracleScenario columns = random_scenario_of_columns(seed);
    CHECK(oracle_scenario_text(parse_oracle_scenario(oracle_scenario_text(columns))) == oracle_scenario_text(columns));
    for (const OracleStream& stream : columns.streams) {
      kinds["nulls"] += stream.null_columns > 0 ? 1 : 0;
      kinds["whole collections"] += stream.elements > 0 && !stream.append ? 1 : 0;
      kinds["appended collections"] += stream.elements > 0 && stream.append ? 1 : 0;
    }
  }
  for (const auto& kind : kinds) {
    CAPTURE(kind.first);
    CHECK(kind.second > 30);
  }
}

TEST_CASE("shrinking keeps what makes a scenario fail and drops the rest") {
  const auto fails = [](const OracleScenario& scenario) {
    return std::ranges::any_of(scenario.streams, [](const OracleStream& stream) {
      return stream.delete_kind == DeleteKind::range && stream.entities >= 2;
    });
  };
  int found = 0;
  for (std::uint64_t seed = 1; found < 5; ++seed) {
    const OracleScenario scenario = random_scenario(seed);
    if (!fails(scenario)) continue;
    ++found;
    const OracleScenario smallest = shrink(scenario, fails);
    CAPTURE(oracle_scenario_text(smallest));
    CHECK(fails(smallest));
    CHECK(smallest.streams.size() == 1);
    CHECK(smallest.alters.empty());
    CHECK(smallest.streams[0].entities <= 3);
    CHECK(smallest.streams[0].pauses.empty());
    CHECK(smallest.end_s - smallest.start_s < 400);
  }
}

}  // namespace
}  // namespace windrow::witness
