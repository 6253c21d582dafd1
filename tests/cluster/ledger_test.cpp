#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/cluster/cluster.h"
#include "sim/scenario/scenario_workload.h"
#include "tests/cluster/random_cluster.h"
#include "tests/cluster/row_judge.h"

namespace windrow {
namespace {

using windrow_test::Histories;
using windrow_test::ReadRules;
using windrow_test::RowJudge;

/// Plays clusters, and follows their rows one by one: both must say the same. Among them more rows than `spread` do.
template <class MakeCluster>
void compare_row_by_row(std::uint64_t clusters, const MakeCluster& make, std::uint64_t spread) {
  std::map<SuspectState, std::int64_t> seen;
  std::int64_t received = 0;
  for (std::uint64_t seed = 1; seed <= clusters; ++seed) {
    CAPTURE(seed);
    const Scenario scenario = make(seed);
    const TableWorkload workload = scenario_workload(scenario.ring ? undivided(scenario) : scenario, 0);
    RowJudge judge(scenario, workload);
    const FaultRecord record = play_cluster(scenario, judge.observers(), {});
    const Histories followed = judge.ledger();
    const Histories said = windrow_test::histories_of(record.suspects);
    CAPTURE(strategy_name(scenario.tables[0].schema.options.compaction_options));
    for (const std::string& complaint : judge.complaints()) FAIL_CHECK(complaint);
    REQUIRE(windrow_test::text_of(said) == windrow_test::text_of(followed));
    Rows sent = 0;
    for (const RepairStep& step : record.repairs) sent += step.rows;
    CHECK(sent == judge.received());
    received += sent;
    for (const SuspectRows& line : record.suspects) seen[line.state] += line.rows;
  }
  for (const SuspectState state : {SuspectState::healed, SuspectState::stale, SuspectState::visible,
                                   SuspectState::spread, SuspectState::permanent}) {
    CAPTURE(state_name(state));
    CHECK(seen[state] > static_cast<Rows>(state == SuspectState::spread ? spread : clusters * 3 / 10));
  }
  CHECK(received > static_cast<Rows>(clusters * 5));
}

TEST_CASE("every line of the ledger is what rows that are followed one by one say, in 1,000 random clusters") {
  compare_row_by_row(1'000, windrow_test::random_cluster, 20);
}

TEST_CASE("nodes that hold some of the rows: every line of the ledger is what rows that are followed say") {
  compare_row_by_row(1'000, windrow_test::random_ring, 20);
}

TEST_CASE("centers: every line of the ledger of two data centres is what rows that are followed say") {
  compare_row_by_row(400, windrow_test::random_centers, 8);
}

TEST_CASE("centers: every line of the ledger where nodes of two data centres are replaced and mutations lost") {
  // Of five replicas one nearly always has the delete: rows spread where much is lost, and soon forgotten.
  const auto make = [](std::uint64_t seed) {
    Scenario scenario = windrow_test::random_centers_losses(seed);
    if (seed <= 300) return scenario;
    std::int32_t& gc_grace_s = scenario.tables.front().schema.options.gc_grace_seconds;
    gc_grace_s = std::min(gc_grace_s, 4 * 3'600);
    scenario.node.lost_mutations_ppm = 60'000;
    return windrow_test::slowly_repaired(std::move(scenario));
  };
  compare_row_by_row(450, make, 6);
}

/// The same of clusters whose reads repair.
template <class MakeCluster>
void compare_reads(std::uint64_t clusters, const MakeCluster& make) {
  Rows written = 0;
  Rows healed = 0;
  Rows spread = 0;
  for (std::uint64_t seed = 1; seed <= clusters; ++seed) {
    CAPTURE(seed);
    const Scenario scenario = make(seed);
    const TableWorkload workload = scenario_workload(scenario.ring ? undivided(scenario) : scenario, 0);
    RowJudge judge(scenario, workload);
    const FaultRecord record = play_cluster(scenario, judge.observers(), {});
    const Histories followed = judge.ledger();
    CAPTURE(strategy_name(scenario.tables[0].schema.options.compaction_options));
    for (const std::string& complaint : judge.complaints()) FAIL_CHECK(complaint);
    REQUIRE(windrow_test::text_of(windrow_test::histories_of(record.suspects)) == windrow_test::text_of(followed));
    written += judge.read();
    for (const SuspectRows& line : record.suspects) {
      if (!line.brought_by.starts_with("read ")) continue;
      if (line.state == SuspectState::healed) healed += line.rows;
      if (line.state >= SuspectState::spread) spread += line.rows;
    }
  }
  MESSAGE(written, " rows and deletes written by reads, ", healed, " healed, ", spread, " spread");
  CHECK(written > static_cast<Rows>(clusters * 10));
  CHECK(healed > static_cast<Rows>(clusters));
  CHECK(spread > static_cast<Rows>(clusters / 10));
}

TEST_CASE(
    "reads: every line of the ledger, and every row of every node, where reads repair, of 1,000 random clusters") {
  compare_reads(1'000, windrow_test::random_reads);
}

TEST_CASE("centers: every line of the ledger, and every row of every node, where reads of two data centres repair") {
  compare_reads(400, windrow_test::random_centers_reads);
}

/// A rule of the judge that is wrong on purpose does not go with what the nodes do.
void reads_notice(const std::string& what, const std::function<void(ReadRules&)>& turn,
                  Scenario (*make)(std::uint64_t) = windrow_test::random_reads) {
  ReadRules rules;
  turn(rules);
  bool any = false;
  for (std::uint64_t seed = 1; seed <= 60 && !any; ++seed) {
    const Scenario scenario = make(seed);
    const TableWorkload workload = scenario_workload(scenario.ring ? undivided(scenario) : scenario, 0);
    RowJudge judge(scenario, workload, rules);
    const FaultRecord record = play_cluster(scenario, judge.observers(), {});
    const Histories followed = judge.ledger();
    any = !judge.complaints().empty() || windrow_test::histories_of(record.suspects) != followed;
  }
  CHECK_MESSAGE(any, what, " is noticed by no cluster");
}

TEST_CASE("reads: those that are wrong on purpose are noticed") {
  reads_notice("tombstones that reads do not strip", [](ReadRules& r) { r.replicas.reads_strip_tombstones = false; });
  reads_notice("liveness that goes gc_grace after the write",
               [](ReadRules& r) { r.replicas.purge.liveness_dates_from_expiry = false; });
  reads_notice("read repair at ONE", [](ReadRules& r) { r.one_compares_nothing = false; });
  reads_notice("answers of nodes that are away", [](ReadRules& r) { r.asks_live_alone = false; });
  reads_notice("coordinators that ask others first", [](ReadRules& r) { r.coordinator_answers_first = false; });
  reads_notice("read repair of rows that are not read", [](ReadRules& r) { r.read_time_counts = false; });
  const auto centers = windrow_test::random_centers_reads;
  reads_notice(
      "QUORUM of replicas far away", [](ReadRules& r) { r.own_center_answers_first = false; }, centers);
  reads_notice(
      "LOCAL_QUORUM of other data centres", [](ReadRules& r) { r.local_stays_local = false; }, centers);
  reads_notice(
      "EACH_QUORUM of any replicas", [](ReadRules& r) { r.each_counts_each = false; }, centers);
}

TEST_CASE("losses: every line of the ledger where nodes are replaced and mutations lost, of 1,600 random clusters") {
  // A delete that any replica still stores comes along with its leaf. Rows spread where it is forgotten between the
  // hashing and the streaming: where repairs take long.
  const auto make = [](std::uint64_t seed) {
    Scenario scenario = windrow_test::random_losses(seed);
    return seed <= 1'000 ? scenario : windrow_test::slowly_repaired(std::move(scenario));
  };
  compare_row_by_row(1'600, make, 20);
}

TEST_CASE("rings: every line of the ledger where repairs bring what is lacking alone, of 600 random clusters") {
  const auto make = [](std::uint64_t seed) {
    Scenario scenario = seed <= 300 ? windrow_test::random_ring(seed)
                                    : windrow_test::slowly_repaired(windrow_test::random_losses(seed));
    scenario.exact_leaves = 0;
    return scenario;
  };
  compare_row_by_row(600, make, 10);
}

TEST_CASE("sessions: every line of the ledger beside incremental repairs, of 800 random clusters") {
  std::map<SuspectState, std::int64_t> seen;
  for (std::uint64_t seed = 1; seed <= 800; ++seed) {
    CAPTURE(seed);
    Scenario scenario = seed % 4 == 0 ? windrow_test::random_ring_sessions(seed) : windrow_test::random_sessions(seed);
    if (seed > 600) scenario = windrow_test::forgetting(std::move(scenario));
    std::visit(
        [](auto& own) {
          if constexpr (requires { own.size_tiered.common; })
            own.size_tiered.common.only_purge_repaired_tombstones = false;
          else if constexpr (requires { own.common; })
            own.common.only_purge_repaired_tombstones = false;
        },
        scenario.tables.front().schema.options.compaction_options);
    const TableWorkload workload = scenario_workload(scenario.ring ? undivided(scenario) : scenario, 0);
    RowJudge judge(scenario, workload);
    const FaultRecord record = play_cluster(scenario, judge.observers(), {});
    const Histories followed = judge.ledger_beside(record.repairs);
    CAPTURE(strategy_name(scenario.tables[0].schema.options.compaction_options));
    for (const std::string& complaint : judge.complaints()) FAIL_CHECK(complaint);
    REQUIRE(windrow_test::text_of(windrow_test::histories_of(record.suspects)) == windrow_test::text_of(followed));
    for (const SuspectRows& line : record.suspects) seen[line.state] += line.rows;
  }
  for (const SuspectState state : {SuspectState::healed, SuspectState::stale, SuspectState::visible,
                                   SuspectState::spread, SuspectState::permanent}) {
    CAPTURE(state_name(state));
    CHECK(seen[state] > (state == SuspectState::spread ? 10 : 200));
  }
}

/// A cluster whose repairs all succeed, with an outage between two of them.
Scenario regular(std::uint64_t seed, Scenario (*make)(std::uint64_t)) {
  using windrow_test::hour_us;
  Scenario scenario = make(seed);
  const Seconds gc_grace_s = (4 + static_cast<Seconds>(seed % 9)) * 3'600;
  scenario.tables[0].schema.options.gc_grace_seconds = static_cast<std::int32_t>(gc_grace_s);
  scenario.end_us = scenario.start_us + 6 * 24 * hour_us;
  scenario.node.hinted_handoff = seed % 3 == 0;
  RepairSpec repair;
  repair.name = "regular";
  repair.tables = {0};
  repair.takes_us = gc_grace_s * us_per_s / (seed % 2 == 0 ? 3 : 8);
  repair.every_us = gc_grace_s * us_per_s - repair.takes_us;
  repair.from_us = scenario.start_us + repair.every_us;
  scenario.repairs = {repair};
  // Each outage fits between the end of a repair and the beginning of the next.
  std::vector<OutageSpec> outages;
  const Micros gap_us = repair.every_us - repair.takes_us;
  for (OutageSpec outage : scenario.outages) {
    const std::int64_t number = (outage.from_us - scenario.start_us) / repair.every_us;
    outage.from_us = scenario.start_us + number * repair.every_us + (number > 0 ? repair.takes_us : 0) + us_per_s;
    outage.length_us = std::min(outage.length_us, gap_us - 20 * us_per_s);
    const bool taken = std::ranges::any_of(outages, [&](const OutageSpec& other) {
      return other.from_us == outage.from_us && other.name != outage.name;  // of one name: a data centre's
    });
    if (!taken) outages.push_back(outage);
  }
  scenario.outages = outages;
  return scenario;
}

FaultRecord played(const Scenario& scenario) {
  const std::vector<RunObserver*> nobody(64, nullptr);
  return play_cluster(scenario, nobody, {});
}

void find_no_false_alarm(std::uint64_t clusters, Scenario (*make)(std::uint64_t), std::int64_t lost_ppm = 0) {
  Rows suspected = 0;
  for (std::uint64_t seed = 1; seed <= clusters; ++seed) {
    CAPTURE(seed);
    Scenario scenario = regular(seed, make);
    scenario.node.lost_mutations_ppm = lost_ppm;
    const FaultRecord record = played(scenario);
    for (const RepairStep& step : record.repairs) REQUIRE(step.outcome == RepairStep::Outcome::done);
    REQUIRE(*record.repair_margin_s(scenario) >= 0);
    REQUIRE(record.resurrected() == 0);
    suspected += record.suspected();
  }
  CHECK(suspected > static_cast<Rows>(clusters * 10));
}

TEST_CASE(
    "no false alarm: where a repair ends within gc_grace of the beginning of the one before, nothing comes back") {
  find_no_false_alarm(2'000, windrow_test::random_cluster);
}

TEST_CASE("no false alarm either where nodes hold some of the rows") {
  find_no_false_alarm(500, windrow_test::random_ring);
}

TEST_CASE("centers: no false alarm of two data centres, of which one may be away whole") {
  find_no_false_alarm(400, windrow_test::random_centers);
}

TEST_CASE("no false alarm of incremental repairs: a delete that is not repaired meets a row that is") {
  Rows suspected = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    const bool of_a_ring = seed > 150;
    Scenario scenario = regular(seed, of_a_ring ? windrow_test::random_ring : windrow_test::random_cluster);
    RepairSpec& repair = scenario.repairs.front();
    repair.kind = RepairSpec::Kind::incremental;
    if (of_a_ring) repair.order = RepairSpec::Order::node_after_node;
    if (of_a_ring && seed % 2 == 0) repair.subranges = 2;
    const FaultRecord record = played(scenario);
    for (const RepairStep& step : record.repairs) REQUIRE(step.outcome == RepairStep::Outcome::done);
    REQUIRE(*record.repair_margin_s(scenario) >= 0);
    REQUIRE(record.resurrected() == 0);
    suspected += record.suspected();
  }
  CHECK(suspected > 2'000);
}

TEST_CASE("mutations that are lost raise no false alarm: the same repairs bring them in time") {
  find_no_false_alarm(200, windrow_test::random_cluster, 20'000);
  find_no_false_alarm(100, windrow_test::random_ring, 20'000);
  find_no_false_alarm(100, windrow_test::random_centers, 20'000);
}

TEST_CASE("the same clusters with three repairs left out: what nodes missed comes back where others forgot it before") {
  Rows back = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    Scenario scenario = regular(seed, seed > 300 ? windrow_test::random_ring : windrow_test::random_cluster);
    scenario.repairs[0].skip_from_us = scenario.start_us + 2 * scenario.repairs[0].every_us;
    scenario.repairs[0].skip_to_us = scenario.start_us + 5 * scenario.repairs[0].every_us;
    const FaultRecord record = played(scenario);
    CHECK(*record.repair_margin_s(scenario) < 0);
    for (const SuspectRows& line : record.suspects) {
      const bool forgotten = line.purged_at_us && (!line.until_us || *line.purged_at_us < *line.until_us);
      if (forgotten) CHECK(line.state > SuspectState::stale);
    }
    back += record.rows(SuspectState::spread) + record.rows(SuspectState::permanent);
  }
  CHECK(back > 200);
}

}  // namespace
}  // namespace windrow
