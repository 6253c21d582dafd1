#include "sim/cluster/ring_rows.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "sim/cluster/replica_rows.h"
#include "tests/cluster/random_cluster.h"

namespace windrow {
namespace {

TEST_CASE("rows go to the cluster's numbers and back, and each is on as many nodes as there are copies") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    const Scenario scenario = windrow_test::random_ring(seed);
    const DataCenter& center = scenario.data_centers.front();
    const RingRows ring(scenario);
    REQUIRE_FALSE(ring.all_alike());
    const TableWorkload& whole = *ring.whole().front();
    const ContentSpace space(whole, 9, SSTableFormat::oa);
    for (int s = 0; s < std::ssize(whole.sub_streams()); ++s) {
      const SubStream& all = whole.sub_streams()[static_cast<std::size_t>(s)];
      const std::int64_t rows = all.rank(all.writer().rhythm.total());
      Rows copies = 0;
      for (int node = 0; node < center.nodes; ++node) {
        const SubStream& mine = ring.of_node(node).front()->sub_streams()[static_cast<std::size_t>(s)];
        const std::int64_t own = mine.rank(mine.writer().rhythm.total());
        copies += own;
        for (std::int64_t from = 0; from < own; from += 7) {
          const std::int64_t to = std::min(own, from + 5);
          const std::vector<Cohort> there = ring.to_cluster(0, node, {{.sub_stream = s, .from = from, .to = to}});
          REQUIRE(there.size() == 1);
          REQUIRE(space.rows(there) == to - from);
          REQUIRE(all.arrival(there.front().from) == mine.arrival(from));
          const std::vector<Cohort> back = ring.to_node(0, node, there);
          REQUIRE(back.size() == 1);
          REQUIRE((back.front().from == from && back.front().to == to && back.front().whole()));
        }
      }
      CHECK(copies == rows * center.replication_factor);
    }
  }
}

TEST_CASE("what cannot be placed exactly is refused, with what would do it") {
  const auto refusal = [](const Scenario& scenario) -> std::string {
    try {
      const RingRows ring(scenario);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return {};
  };
  Scenario scenario = windrow_test::random_ring(3);
  CHECK(refusal(scenario).empty());
  Scenario alike = scenario;
  alike.data_centers.front().placement = DataCenter::Placement::alike;
  CHECK(refusal(alike).find("placement = hashed says it") != std::string::npos);
  Scenario few_keys = scenario;
  few_keys.exact_placements = 1;
  CHECK(refusal(few_keys).find("run.exact_placements = 1; a larger one hashes them all") != std::string::npos);
  Scenario spread = scenario;
  spread.tables.front().schema.options.compaction_options = LeveledOptions{};
  spread.exact_partitions = 1;
  CHECK(refusal(spread).find("a larger run.exact_partitions (now 1) hashes them") != std::string::npos);
}

}  // namespace
}  // namespace windrow
