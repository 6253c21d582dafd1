#include "sim/placement/slot_hasher.h"

#include <doctest/doctest.h>

#include <string>

#include "sim/scenario/cluster_ring.h"
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

}  // namespace
}  // namespace windrow
