#include <doctest/doctest.h>
#include <fmt/format.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/load/cluster_load.h"
#include "sim/scenario/scenario_workload.h"
#include "sim/stats/murmur3.h"
#include "tests/load/cluster_text.h"
#include "tests/load/pick.h"

namespace windrow {
namespace {

using test::pick;

/// Rows of each partition, by bucket and serialized key.
using Partitions = std::map<std::pair<std::int64_t, std::string>, std::int64_t>;

/// Every row of the scenario by itself: whose it is by the hash of its key.
std::vector<Partitions> row_by_row(const ClusterLoad& load, const Scenario& scenario, int table) {
  std::vector<Partitions> nodes(static_cast<std::size_t>(load.nodes()));
  const TableWorkload all = scenario_workload(undivided(scenario), table);
  for (const Writer& writer : all.writers()) {
    for (std::int64_t g = 0; g < writer.rhythm.total(); ++g) {
      const std::int64_t bucket = writer.bucket_of(g);
      const std::string key = writer.key(writer.slot(g), bucket);
      const ReplicaMap& replicas = load.replicas();
      for (const int node : replicas.set(replicas.set_of(murmur3_token(key))))
        ++nodes[static_cast<std::size_t>(node)][{bucket, key}];
    }
  }
  return nodes;
}

/// The same of a node's workload: by the turn of its rows around its partitions.
Partitions of_node(const TableWorkload& workload) {
  Partitions partitions;
  for (const Writer& writer : workload.writers()) {
    for (std::int64_t g = 0; g < writer.rhythm.total(); ++g) {
      const std::int64_t bucket = writer.bucket_of(g);
      ++partitions[{bucket, writer.key(writer.slot(g), bucket)}];
    }
  }
  return partitions;
}

std::string center_of_shares(const std::string& name) {
  const int racks = *rc::gen::inRange(1, 4);
  const int copies = racks > 1 ? racks : *rc::gen::inRange(1, 4);
  const int nodes = *rc::gen::inRange(std::max(racks, copies + 1), 10);
  return fmt::format("[dc.{}]\nnodes = {}\nracks = {}\nreplication_factor = {}\nnum_tokens = {}\nallocation = {}\n",
                     name, nodes, racks, copies, *rc::gen::inRange(1, 17), pick({"replicated", "random"}));
}

std::string random_stream(int number) {
  const std::string table = pick({"readings", "sharded", "hourly", "unbucketed"});
  std::string text = fmt::format("[stream.s{}]\ntable = {}\nentities = pattern(s{}-%d, {})\n", number, table, number,
                                 *rc::gen::inRange(1, 60));
  if (table == "readings" || table == "sharded") text += "column.day = " + pick({"day", "week", "month"}) + "\n";
  if (table == "sharded") text += fmt::format("column.shard = shard({})\n", *rc::gen::inRange(1, 9));
  if (table == "hourly") text += "column.hour = " + pick({"hour", "10min", "rolling(5, 1h)"}) + "\n";
  return text +
         "rate = " + pick({"1/h", "7/d", "1/min", "90/d then 3/h from 2026-01-02", "0.3/d", "lognormal(1/h, 9/h)"}) +
         "\n" + pick({"", "shape = daily(peak 20:00, 3x)\n", "growth = 900%/y\n"});
}

TEST_CASE("partitions and rows of each node and bucket are those that hashing every row gives") {
  CHECK(rc::check([] {
    const std::string ini =
        fmt::format("[run]\nschema = t.cql\nlength = {}h\nstart = 2026-01-01T{:02}:30:00\nseed = {}\n",
                    *rc::gen::inRange(1, 80), *rc::gen::inRange(0, 24), *rc::gen::inRange(1, 1000)) +
        center_of_shares("main") + (*rc::gen::arbitrary<bool>() ? center_of_shares("east") : "") + random_stream(1) +
        random_stream(2);
    RC_LOG(ini);
    const LoadedScenario loaded = test::cluster(ini);
    const ClusterLoad load(loaded.scenario);
    for (int table = 0; table < std::ssize(loaded.scenario.tables); ++table) {
      const std::vector<Partitions> rows = row_by_row(load, loaded.scenario, table);
      for (int node = 0; node < load.nodes(); ++node)
        RC_ASSERT(of_node(load.workload(table, node)) == rows[static_cast<std::size_t>(node)]);
    }
  }));
}

/// Rows of a stream by their TTL, and by whether they are late.
using Share = std::tuple<std::string, std::int64_t, bool>;
using Shares = std::map<Share, double>;

template <typename Each>
void each_share(const TableWorkload& workload, const Each& each) {
  for (const SubStream& sub : workload.sub_streams()) {
    if (sub.rank(sub.writer().rhythm.total()) == 0) continue;
    const bool late = sub.arrival(0) > sub.writer().event_units(sub.row(0));
    each(Share(sub.writer().name, sub.ttl_s(), late), sub);
  }
}

Shares of_node_by_share(const TableWorkload& workload) {
  Shares shares;
  each_share(workload, [&](const Share& share, const SubStream& sub) {
    shares[share] += static_cast<double>(sub.rank(sub.writer().rhythm.total()));
  });
  return shares;
}

/// The same, with every row by itself.
std::vector<Shares> row_by_row_by_share(const ClusterLoad& load, const TableWorkload& all) {
  std::vector<Shares> nodes(static_cast<std::size_t>(load.nodes()));
  each_share(all, [&](const Share& share, const SubStream& sub) {
    const std::int64_t members = sub.rank(sub.writer().rhythm.total());
    for (std::int64_t j = 0; j < members; ++j) {
      const std::int64_t bucket = sub.writer().bucket_of(sub.row(j));
      const Token token = murmur3_token(sub.writer().key(sub.slot(j), bucket));
      for (const int node : load.replicas().set(load.replicas().set_of(token)))
        ++nodes[static_cast<std::size_t>(node)][share];
    }
  });
  return nodes;
}

TEST_CASE("late rows and shares of TTLs: each node has its rows of each share, within a deck of a thousand") {
  double most = 0;
  CHECK(rc::check([&] {
    const std::string ini =
        fmt::format("[run]\nschema = t.cql\nlength = {}h\nseed = {}\n", *rc::gen::inRange(10, 80),
                    *rc::gen::inRange(1, 1000)) +
        center_of_shares("main") + random_stream(1) +
        pick({"late = 5% by 2h\n", "ttl = 1d 20% + 3d\n", "late = 1% by 10min..3h\nttl = 7d 3% + 9d\n"});
    RC_LOG(ini);
    const LoadedScenario loaded = test::cluster(ini);
    const ClusterLoad load(loaded.scenario);
    const TableWorkload all = scenario_workload(undivided(loaded.scenario), 0);
    std::vector<Shares> rows = row_by_row_by_share(load, all);
    for (int node = 0; node < load.nodes(); ++node) {
      for (const auto& [share, ours] : of_node_by_share(load.workload(0, node))) {
        const double off = std::abs(ours - rows[static_cast<std::size_t>(node)][share]);
        most = std::max(most, off);
        RC_ASSERT(off <= 1000);
      }
    }
  }));
  MESSAGE("at most ", most, " rows off");
}

TEST_CASE("one chatty device among a thousand: a node's run has the rows that its hours have, to the last row") {
  const auto loaded = test::cluster(
      "[run]\nschema = t.cql\nlength = 3d\n[dc.main]\nnodes = 6\nreplication_factor = 3\ntokens = ring.csv\n"
      "[stream.devices]\ntable = readings\nentities = pattern(device-%04d, 1000)\nrate = 1/min\ncolumn.day = day\n"
      "[stream.chatty]\nlike = devices\nentities = named(device-chatty)\nrate = 100/s\n");
  const ClusterLoad load(loaded.scenario);
  const std::vector<std::int64_t> hour = {389'460, 29'220, 390'720, 28'620, 30'300, 391'680};
  REQUIRE(load.alike_nodes().size() == 6);
  for (int node = 0; node < 6; ++node) {
    const TableWorkload workload = load.workload(0, node);
    std::int64_t rows = 0;
    for (const Writer& writer : workload.writers())
      rows += writer.rhythm.count_before(loaded.scenario.start_us + 86'400 * us_per_s);
    CHECK(rows == 24 * hour[static_cast<std::size_t>(node)]);
    CHECK(rows_written(workload) == load.rows(0).col(node).sum());
  }
}

TEST_CASE("keys that are not hashed: as many rows on all nodes as copies are written, but for a row a node") {
  const auto loaded = test::cluster(
      "[run]\nschema = t.cql\nlength = 10d\nexact_placements = 0\n[dc.main]\nnodes = 7\nreplication_factor = 3\n"
      "[stream.devices]\ntable = readings\nentities = pattern(device-%04d, 1000)\nrate = 1/min\ncolumn.day = day\n");
  const ClusterLoad load(loaded.scenario);
  Rows rows = 0;
  for (int node = 0; node < 7; ++node) rows += rows_written(load.workload(0, node));
  CHECK(std::abs(rows - 3 * std::int64_t{1000} * 1440 * 10) <= 7);
}

TEST_CASE("where every node of a data centre has everything, and where nodes are said to be alike, one run tells all") {
  const auto groups = [](const std::string& centers) {
    return ClusterLoad(test::cluster("[run]\nschema = t.cql\nlength = 3d\n" + centers +
                                     "[stream.devices]\ntable = readings\nentities = pattern(device-%04d, 100)\n"
                                     "rate = 1/min\ncolumn.day = day\n")
                           .scenario)
        .alike_nodes();
  };
  using Groups = std::vector<std::vector<int>>;
  CHECK(groups("[dc.a]\nnodes = 3\nreplication_factor = 3\n") == Groups{{0, 1, 2}});
  CHECK(groups("[dc.a]\nnodes = 3\nreplication_factor = 3\n[dc.b]\nnodes = 2\nreplication_factor = 2\n") ==
        Groups{{0, 1, 2, 3, 4}});
  CHECK(groups("[dc.a]\nnodes = 4\nreplication_factor = 3\nplacement = alike\n") == Groups{{0, 1, 2, 3}});
  CHECK(groups("[dc.a]\nnodes = 2\nreplication_factor = 2\n[dc.b]\nnodes = 3\nreplication_factor = 2\n") ==
        Groups{{0, 1}, {2}, {3}, {4}});
}

}  // namespace
}  // namespace windrow
