#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/load/cluster_load.h"
#include "sim/stats/random_stream.h"
#include "tests/load/cluster_text.h"
#include "tests/load/pick.h"

namespace windrow {
namespace {

using test::pick;

std::string random_center(const std::string& name) {
  const int racks = *rc::gen::inRange(1, 4);
  const int copies = racks > 1 ? *rc::gen::inRange(1, racks + 1) : *rc::gen::inRange(1, 4);
  const int nodes = *rc::gen::inRange(std::max(racks, copies), 14);
  return fmt::format("[dc.{}]\nnodes = {}\nracks = {}\nreplication_factor = {}\nnum_tokens = {}\nallocation = {}\n",
                     name, nodes, racks, copies, *rc::gen::inRange(1, 17), pick({"replicated", "random"})) +
         (*rc::gen::inRange(0, 5) == 0 ? "placement = alike\n" : "");
}

std::string random_streams() {
  const std::vector<std::string> tables = {"readings", "sharded", "hourly", "unbucketed"};
  std::string text;
  for (int number = 0; number < *rc::gen::inRange(1, 4); ++number) {
    const std::string table = pick(tables);
    text += fmt::format("[stream.s{}]\ntable = {}\nentities = pattern(s{}-%d, {})\n", number, table, number,
                        *rc::gen::inRange(1, 300));
    if (table == "readings" || table == "sharded") text += "column.day = " + pick({"day", "week", "month"}) + "\n";
    if (table == "sharded") text += fmt::format("column.shard = shard({})\n", *rc::gen::inRange(1, 9));
    if (table == "hourly") text += "column.hour = " + pick({"hour", "10min", "rolling(5, 1h)"}) + "\n";
    text += "rate = " + pick({"1/h", "7/d", "90/d then 3/h from 2026-01-02", "lognormal(1/h, 9/h)"}) + "\n";
    text += pick({"", "late = 5% by 2h\n", "ttl = 1d 20% + 3d\n", "shape = daily(peak 20:00, 3x)\n"});
  }
  return text;
}

/// True if in every hour the nodes of each data centre are written its copies, and rows are known once by placement.
bool keeps_rows(const LoadedScenario& loaded) {
  const ClusterLoad load(loaded.scenario);
  std::int64_t written = 0;
  for (int hour = 0; hour < load.hours().count(); ++hour) {
    int first = 0;
    for (const DataCenter& center : loaded.scenario.data_centers) {
      const auto nodes = load.rows().row(hour).segment(first, center.nodes);
      if (nodes.minCoeff() < 0) return false;
      if (nodes.sum() != center.replication_factor * load.written()[static_cast<std::size_t>(hour)]) return false;
      first += center.nodes;
    }
    written += load.written()[static_cast<std::size_t>(hour)];
  }
  std::int64_t known = 0;
  for (const PlacementKind kind : {PlacementKind::hashed, PlacementKind::borrowed, PlacementKind::even})
    known += load.known(kind).rows;
  return known == written;
}

/// A cluster of up to a thousand nodes on random tokens, in up to three data centres of up to five racks.
std::string large_cluster(std::uint64_t seed) {
  RandomStream draw(seed, "clusters");
  const auto from_to = [&](int from, int to) {
    return from + static_cast<int>(draw.next() % static_cast<std::uint64_t>(to - from + 1));
  };
  std::string text = fmt::format("[run]\nschema = t.cql\nlength = {}h\nstart = 2026-01-01T{:02}:30:00\nseed = {}\n",
                                 from_to(1, 30), from_to(0, 23), seed);
  const int centers = from_to(1, 3);
  for (int center = 0; center < centers; ++center) {
    const int racks = from_to(1, 5);
    const int copies = from_to(1, racks > 1 ? racks : 4);
    const int most = std::min(1000 / centers, 8 << from_to(0, 7));
    text += fmt::format(
        "[dc.dc{}]\nnodes = {}\nracks = {}\nreplication_factor = {}\nnum_tokens = {}\nallocation = random\n", center,
        from_to(std::max(racks, copies), most), racks, copies, from_to(1, 16));
  }
  return text + fmt::format(
                    "[stream.s]\ntable = sharded\nentities = pattern(s-%d, {})\ncolumn.day = day\n"
                    "column.shard = shard({})\nrate = {}/h\n",
                    from_to(1, 300), from_to(1, 8), from_to(1, 5));
}

TEST_CASE("and in a thousand clusters of up to a thousand nodes, five racks and three data centres") {
  int most_nodes = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    const LoadedScenario loaded = test::cluster(large_cluster(seed));
    CHECK_MESSAGE(keeps_rows(loaded), "seed ", seed);
    int nodes = 0;
    for (const DataCenter& center : loaded.scenario.data_centers) nodes += center.nodes;
    most_nodes = std::max(most_nodes, nodes);
  }
  CHECK(most_nodes > 900);
}

TEST_CASE("rows of all nodes are the copies of what is written, as whole rows, in every hour") {
  CHECK(rc::check([] {
    const bool two = *rc::gen::arbitrary<bool>();
    const std::string ini =
        fmt::format("[run]\nschema = t.cql\nlength = {}h\nstart = 2026-01-01T{:02}:30:00\nseed = {}\n",
                    *rc::gen::inRange(1, 80), *rc::gen::inRange(0, 24), *rc::gen::inRange(1, 1000)) +
        fmt::format("exact_placements = {}\n", pick({"25000000", "3000", "0"})) + random_center("main") +
        (two ? random_center("east") : "") + random_streams();
    RC_TAG(two);
    const LoadedScenario loaded = test::cluster(ini);
    RC_ASSERT(keeps_rows(loaded));
  }));
}

}  // namespace
}  // namespace windrow
