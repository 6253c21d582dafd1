#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "sim/record/recorder.h"
#include "tests/record/made_scenario.h"

namespace windrow {
namespace {

class OtherKeys final : public PartitionKeys {
 public:
  std::string key(std::int64_t entity, std::int64_t, std::int64_t) const override {
    return "unit-" + std::to_string(100'000 + entity);
  }
};

/// Rows that compactions of levels have purged after two weeks: a hundred devices, a row every half hour, a TTL of
/// three days.
Rows purged_rows(double fp_chance) {
  Scenario scenario = test::made_scenario(14, 100);
  scenario.writers.front() = test::made_writer(scenario, 100, 300);
  scenario.tables.front().flush_size_bytes = 200'000;
  Table& schema = scenario.tables.front().schema;
  schema = test::made_table("readings",
                            {{"class", "LeveledCompactionStrategy"}, {"sstable_size_in_mb", "1"}, {"fanout_size", "2"}},
                            3 * static_cast<int>(seconds_per_day), static_cast<int>(seconds_per_day));
  schema.options.bloom_filter_fp_chance = fp_chance;
  WriterSpec stays = test::made_writer(scenario, 100, 900);
  stays.stream = "units";
  stays.entity_group = 1;
  stays.keys = std::make_shared<OtherKeys>();
  stays.bucket = BucketRule::none();
  stays.bucket_text = "none";
  stays.ttl = {{.ttl_s = 0}};
  scenario.writers.push_back(stays);
  Recorder recorder(scenario, {.version = "0.1", .scenario_hash = "00", .node = 1}, {});
  run_node(scenario, recorder, {});
  return recorder.take().tables.front().balance.purged;
}

// What a filter lets through though the key is not there keeps rows from being purged, in a run as in the engine.
TEST_CASE("a run follows false positives of filters where they decide what is purged") {
  const Rows hardly_any = purged_rows(0.0001);
  const Rows some = purged_rows(0.1);
  CHECK(hardly_any > 0);
  CHECK(some < hardly_any);
}

TEST_CASE("filters are said to be left out where rows die, the table has filters, and is too large to follow them") {
  struct Shape {
    std::int64_t exact_partitions = 2'000'000;
    std::int32_t ttl_s = 3 * static_cast<int>(seconds_per_day);
    double fp_chance = 0.01;
    bool said = false;
  };
  for (const Shape& shape :
       {Shape{}, Shape{.exact_partitions = 1'000, .said = true}, Shape{.exact_partitions = 1'000, .ttl_s = 0},
        Shape{.exact_partitions = 1'000, .fp_chance = 1}}) {
    CAPTURE(shape.exact_partitions);
    CAPTURE(shape.ttl_s);
    CAPTURE(shape.fp_chance);
    Scenario scenario = test::made_scenario(5, 100);
    scenario.exact_partitions = shape.exact_partitions;
    Table& schema = scenario.tables.front().schema;
    schema = test::made_table("readings", {{"class", "SizeTieredCompactionStrategy"}}, shape.ttl_s,
                              static_cast<int>(seconds_per_day));
    schema.options.bloom_filter_fp_chance = shape.fp_chance;
    Recorder recorder(scenario, {.version = "0.1", .scenario_hash = "00", .node = 1}, {});
    run_node(scenario, recorder, {});
    CHECK(recorder.take().tables.front().filters_left_out == shape.said);
  }
}

}  // namespace
}  // namespace windrow
