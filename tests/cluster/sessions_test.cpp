#include <doctest/doctest.h>

#include "sim/base/check.h"
#include "sim/cluster/cluster.h"
#include "tests/cluster/random_cluster.h"
#include "tests/cluster/session_judge.h"
#include "tests/support/seeds.h"

namespace windrow {
namespace {

using windrow_test::SessionJudge;

/// Plays clusters whose repairs are followed row by row by what `windrow verify` proves.
template <class MakeCluster>
void compare_sessions(std::uint64_t clusters, const MakeCluster& make) {
  std::int64_t compared = 0;
  Rows moved = 0;
  Rows sent = 0;
  Rows along = 0;
  std::map<std::pair<RepairSpec::Kind, RepairStep::Outcome>, std::int64_t> seen;
  for (std::uint64_t seed = 1; seed <= clusters; ++seed) {
    CAPTURE(seed);
    const Scenario scenario = make(seed);
    CAPTURE(strategy_name(scenario.tables[0].schema.options.compaction_options));
    set_check_context(scenario.name);
    SessionJudge judge(scenario);
    judge.play();
    for (const std::string& complaint : judge.complaints()) FAIL_CHECK(complaint);
    REQUIRE(judge.complaints().empty());
    compared += judge.compared();
    moved += judge.moved();
    sent += judge.sent();
    along += judge.along();
    for (const RepairStep& step : judge.record().repairs) {
      for (const RepairSpec& spec : scenario.repairs) {
        if (spec.name == step.repair) ++seen[{spec.kind, step.outcome}];
      }
    }
  }
  for (const RepairSpec::Kind kind : {RepairSpec::Kind::full, RepairSpec::Kind::incremental}) {
    for (const auto outcome : {RepairStep::Outcome::done, RepairStep::Outcome::refused, RepairStep::Outcome::failed}) {
      CAPTURE(outcome_name(outcome));
      CHECK(seen[{kind, outcome}] > static_cast<std::int64_t>(clusters / 10));
    }
  }
  CHECK(compared > static_cast<std::int64_t>(clusters * 10));
  CHECK(moved > static_cast<Rows>(clusters * 50));
  CHECK(sent > static_cast<Rows>(clusters * 20));
  CHECK(along > static_cast<Rows>(clusters * 20));
}

TEST_CASE("repairs of clusters hold what replicas hold that are played row by row, within each repair state") {
  compare_sessions(windrow_test::seeds(800), windrow_test::random_sessions);
}

TEST_CASE("repairs of rings hold what replicas hold that are played row by row, within each repair state") {
  compare_sessions(windrow_test::seeds(100), windrow_test::random_ring_sessions);
}

TEST_CASE("repairs of centers hold what replicas hold that are played row by row, within each repair state") {
  compare_sessions(windrow_test::seeds(100), windrow_test::random_centers_sessions);
}

}  // namespace
}  // namespace windrow
