#include "sim/placement/slot_hasher.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "sim/scenario/cluster_ring.h"
#include "sim/scenario/scenario_workload.h"
#include "sim/stats/murmur3.h"
#include "sim/workload/token_index.h"
#include "tests/load/cluster_text.h"

namespace windrow {
namespace {

TEST_CASE("keys that are renamed from bucket to bucket have the replicas of keys that are written anew") {
  const std::string ini =
      "[run]\nschema = t.cql\nlength = 400d\n[dc.main]\nnodes = 5\nreplication_factor = 2\n"
      "[stream.days]\ntable = readings\nentities = pattern(device-%04d, 300)\nrate = 1/d\ncolumn.day = day\n"
      "[stream.months]\ntable = sharded\nentities = pattern(device-%04d, 90)\nrate = 1/d\ncolumn.day = month\n"
      "column.shard = shard(7)\n"
      "[stream.hours]\ntable = hourly\nentities = 300\nrate = 1/h\ncolumn.hour = hour\n"
      "[stream.tens]\ntable = hourly\nentities = pattern(x%d, 30)\nrate = 1/h\ncolumn.hour = 10min\n";
  const LoadedScenario loaded = test::cluster(ini);
  const Scenario& scenario = loaded.scenario;
  const ReplicaMap replicas(scenario.ring->tokens, scenario.ring->places, scenario.ring->replication);
  for (const WriterSpec& writer : scenario.writers) {
    CAPTURE(writer.stream);
    const SlotKeys keys{.keys = writer.keys.get(), .entities = writer.entities, .shards = writer.shards};
    SlotHasher hasher(keys);
    const std::int64_t first = writer.bucket.number(scenario.start_us / us_per_s);
    for (const std::int64_t further : {0, 1, 2, 11, 12, 3}) {
      const std::int64_t label = writer.bucket.label(first + further);
      CHECK(hasher.sets(label, replicas) == hashed_sets(keys, label, replicas));
    }
  }
}

TEST_CASE("tokens of buckets are those of their keys, in whatever order they are asked for") {
  const LoadedScenario loaded = test::cluster(
      "[run]\nschema = t.cql\nlength = 40d\n[dc.main]\nnodes = 1\nreplication_factor = 1\n"
      "[stream.days]\ntable = readings\nentities = pattern(device-%04d, 30)\nrate = 1/h\ncolumn.day = day\n"
      "[stream.others]\ntable = readings\nentities = pattern(other-%04d, 20)\nrate = 1/h\ncolumn.day = day\n"
      "[stream.months]\ntable = sharded\nentities = pattern(device-%d, 12)\nrate = 1/d\ncolumn.day = month\n"
      "column.shard = shard(7)\n"
      "[stream.hours]\ntable = hourly\nentities = 300\nrate = 1/h\ncolumn.hour = hour\n");
  for (int table = 0; table < std::ssize(loaded.scenario.tables); ++table) {
    const TableWorkload workload = scenario_workload(loaded.scenario, table);
    TokenIndex index;
    for (const std::int64_t further : {2, 0, 9, 3, 1, 40, 8}) {
      for (const Writer& writer : workload.writers()) {
        CAPTURE(writer.name);
        const std::int64_t last = writer.bucket_of(writer.rhythm.total() - 1);
        const std::int64_t bucket = std::min(writer.bucket_of(0) + further, last);
        const TokenIndex::Bucket& tokens = index.of(writer, bucket);
        REQUIRE(std::ssize(tokens.by_slot()) == writer.slots(bucket));
        for (std::int64_t slot = 0; slot < writer.slots(bucket); ++slot)
          REQUIRE(tokens.by_slot()[static_cast<std::size_t>(slot)] == murmur3_token(writer.key(slot, bucket)));
        CHECK(std::ranges::is_sorted(tokens.in_order(), {}, [&](std::int32_t slot) { return tokens.of(slot); }));
      }
    }
  }
}

}  // namespace
}  // namespace windrow
