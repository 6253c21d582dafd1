#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "sim/engine/node.h"
#include "sim/record/recorder.h"
#include "sim/resolve/load_scenario.h"
#include "sim/words/distribution.h"
#include "tests/scenarios/played.h"

namespace windrow {
namespace {

constexpr const char* month_table =
    "CREATE TABLE t (device text, month text, at timestamp, v double, PRIMARY KEY ((device, month), at)) WITH "
    "compaction = {'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'DAYS', "
    "'compaction_window_size': '30'};";

/// The partitions of a run of thirty days in one bucket: one of each entity.
PartitionCensus partitions(const std::string& entities, const std::string& rate, const std::string& fleet = {}) {
  const std::string ini =
      "[run]\nschema = t.cql\nstart = 2026-04-01\nlength = 30d\n[stream.s]\ntable = t\nentities = " + entities + "\n" +
      (rate.empty() ? "" : "rate = " + rate + "\n") +
      "column.device = entity\ncolumn.month = month\ncolumn.at = time\n";
  const std::map<std::string, std::string> files = {{"t.cql", month_table}, {"fleet.csv", fleet}};
  const LoadedScenario loaded = load_scenario("test.ini", ini, {}, [&](const std::string& name) {
    const auto found = files.find(name);
    return found == files.end() ? std::nullopt : std::optional(found->second);
  });
  Recorder recorder(loaded.scenario, {}, {});
  run_node(loaded.scenario, recorder, {});
  return recorder.take().tables.front().partitions;
}

/// Rows of thirty days of the entity at a percentile, by nearest rank.
double rows_of_entity(const Distribution& rates, std::int64_t entities, int percent) {
  const std::int64_t rank = (entities * percent + 99) / 100;
  return rates.mean_of_ranks(rank - 1, rank, entities) * 30 * 86'400;
}

TEST_CASE("percentiles over entities are those of their distribution, within a percent, not of class means") {
  constexpr double day = 1.0 / 86'400;
  struct Case {
    std::string text{};
    Distribution rates{};
    std::int64_t entities = 0;
  };
  using Kind = Distribution::Kind;
  const std::vector<Case> cases = {
      {"lognormal(200/day, 20000/day)", {.kind = Kind::lognormal, .first = 200 * day, .second = 20'000 * day}, 3'000},
      {"pareto(50/day, 1.3)", {.kind = Kind::pareto, .first = 50 * day, .second = 1.3}, 10'000},
      {"zipf(1, 300/day)", {.kind = Kind::zipf, .first = 1, .second = 300 * day}, 1'000},
      {"uniform(20/day, 900/day)", {.kind = Kind::uniform, .first = 20 * day, .second = 900 * day}, 5'000},
  };
  for (const Case& each : cases) {
    CAPTURE(each.text);
    const PartitionCensus census = partitions(std::to_string(each.entities), each.text);
    CHECK(census.partitions == each.entities);
    const auto close = [&](Rows rows, int percent) {
      const double real = rows_of_entity(each.rates, each.entities, percent);
      CAPTURE(percent);
      CHECK(std::abs(static_cast<double>(rows) - real) <= std::max(1.0, 0.01 * real));
    };
    close(census.rows.p50, 50);
    close(census.rows.p95, 95);
    close(census.rows.p99, 99);
    close(census.rows.max, 100);
  }
}

TEST_CASE("tweet-stream: accounts of every rate in two months of days, and the busiest are named") {
  const test::Played run("tweet-stream", {"run.length=60d"});
  CHECK(run.table().largest.size() == 20);
  CHECK(run.table().largest.front().entity == "jon_haddad");
  CHECK(run.table().partitions.rows.p50 <= run.table().partitions.rows.p95);
  CHECK(run.table().partitions.partitions > 1'000'000);
}

TEST_CASE("ranks of a fleet's file are exact") {
  std::string fleet = "id,rate\n";
  std::vector<std::int64_t> rows;
  for (int i = 1; i <= 700; ++i) {
    const std::int64_t a_day = 24 + (i * 7919LL % 701) * (i * 7919LL % 701) / 24;
    fleet += "d" + std::to_string(i) + "," + std::to_string(a_day) + "/day\n";
    rows.push_back(30 * a_day);
  }
  std::ranges::sort(rows);
  const PartitionCensus census = partitions("from(fleet.csv)", "", fleet);
  CHECK(census.partitions == 700);
  const auto at = [&](std::size_t percent) { return rows[(700 * percent + 99) / 100 - 1]; };
  CHECK(std::abs(census.rows.p50 - at(50)) <= 1);
  CHECK(std::abs(census.rows.p75 - at(75)) <= 1);
  CHECK(std::abs(census.rows.p95 - at(95)) <= 1);
  CHECK(std::abs(census.rows.p99 - at(99)) <= 1);
  CHECK(std::abs(census.rows.max - rows.back()) <= 1);
  CHECK(std::abs(census.rows.min - rows.front()) <= 1);
}

}  // namespace
}  // namespace windrow
