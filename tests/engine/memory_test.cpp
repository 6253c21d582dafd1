#include "sim/engine/memory.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "sim/engine/node.h"

namespace windrow {
namespace {

constexpr Micros begin_us = 1'767'225'600 * us_per_s;
constexpr Micros hour_us = 3'600 * us_per_s;

class DeviceKeys final : public PartitionKeys {
 public:
  std::string key(std::int64_t entity, std::int64_t, std::int64_t) const override {
    const std::string number = std::to_string(entity);
    return "device-" + std::string(5 - number.size(), '0') + number;
  }
};

/// The shape floats3_p100 of tests/data/captures/memtable: rows of three floats, in turn into 1000 partitions.
Scenario floats_of(std::int64_t partitions) {
  Scenario scenario;
  scenario.name = "memory";
  scenario.start_us = begin_us;
  scenario.end_us = begin_us + 10 * hour_us;
  scenario.keyspace = "ks";
  scenario.node.memtable_heap_bytes = MiB(96);
  scenario.node.memtable_offheap_bytes = MiB(96);
  TableSpec table;
  table.schema.keyspace = "ks";
  table.schema.name = "t";
  table.schema.columns = {{.name = "a"}, {.name = "b"}, {.name = "c"}};
  table.name = "t";
  scenario.tables.push_back(table);
  WriterSpec writer;
  writer.stream = "floats";
  writer.entities = partitions;
  writer.keys = std::make_shared<DeviceKeys>();
  writer.key_bytes = 12;
  writer.from_us = begin_us;
  writer.until_us = scenario.end_us;
  writer.rate = {{.from_us = begin_us, .rows = 1000, .period_us = 100 * us_per_s}};
  writer.clustering = {{.column = "t"}};
  writer.clustering_bytes = 9;
  for (int column = 0; column < 3; ++column) {
    writer.columns.push_back({.column = std::string(1, static_cast<char>('a' + column)),
                              .position = column,
                              .fixed_length = true,
                              .sizes_bytes = {4}});
  }
  scenario.writers.push_back(writer);
  return scenario;
}

class HeapFlushes final : public RunObserver {
 public:
  void flushed(const Node&, const FlushEvent& event) override {
    if (event.reason == FlushReason::heap) writes.push_back(event.change->ledger.in);
  }
  std::vector<Rows> writes{};
};

std::vector<Rows> flushes_of(const Scenario& scenario) {
  HeapFlushes flushes;
  run_node(scenario, flushes, {});
  return flushes.writes;
}

TEST_CASE("a node flushes after as many rows as a real one did") {
  const std::vector<Rows> writes = flushes_of(floats_of(1000));
  REQUIRE(writes.size() >= 3);
  for (const Rows rows : writes) CHECK(static_cast<double>(rows) == doctest::Approx(64'571).epsilon(0.01));
}

// floats3_p10 of tests/data/captures/memtable/flushes.jsonl: sixteen rows a partition when the memtable is full.
TEST_CASE("and of partitions of few rows, whose trees are one leaf") {
  Scenario scenario = floats_of(10'000);
  scenario.node.memtable_allocation_type = MemtableAllocation::offheap_objects;
  const std::vector<Rows> writes = flushes_of(scenario);
  REQUIRE(writes.size() >= 2);
  for (const Rows rows : writes) CHECK(static_cast<double>(rows) == doctest::Approx(156'700).epsilon(0.001));
}

TEST_CASE("a key written again costs its values only") {
  Scenario scenario = floats_of(1000);
  scenario.writers.front().op = WriteOp::overwrite;
  scenario.writers.front().overwrite = {.keys = 10'000, .order = OverwriteRule::Order::cyclic};
  const std::vector<Rows> writes = flushes_of(scenario);
  const double in_first_round = 10'000 * 508.0 + 1000 * (328.0 + 64.0);  // ten rows have a tree of 64 bytes
  CHECK(writes.empty());  // 36,000 s bring 360,000 writes: 5.2 MB and 12 bytes each beyond the first round
  CHECK(in_first_round + 350'000 * 12 < static_cast<double>(MiB(32)));
  scenario.node.memtable_heap_bytes = MiB(24);
  const std::vector<Rows> of_less = flushes_of(scenario);
  REQUIRE(!of_less.empty());
  CHECK(static_cast<double>(of_less.front()) ==
        doctest::Approx(10'000 + (static_cast<double>(MiB(8)) - in_first_round) / 12).epsilon(0.01));
}

TEST_CASE("cells off the heap leave room for more rows, until the space off the heap is full") {
  Scenario scenario = floats_of(1000);
  scenario.node.memtable_allocation_type = MemtableAllocation::offheap_objects;
  const std::vector<Rows> objects = flushes_of(scenario);
  REQUIRE(!objects.empty());
  const double heap_third = static_cast<double>(MiB(32));
  CHECK(static_cast<double>(objects.front()) == doctest::Approx((heap_third - 1000 * 277) / 200).epsilon(0.01));
  scenario.node.memtable_offheap_bytes = MiB(24);
  const std::vector<Rows> of_less = flushes_of(scenario);
  REQUIRE(!of_less.empty());
  CHECK(static_cast<double>(of_less.front()) == doctest::Approx((heap_third / 4 - 1000 * 16) / 90).epsilon(0.01));
}

TEST_CASE("a memtable of several buckets has partitions of each") {
  Scenario scenario = floats_of(1000);
  scenario.writers.front().bucket = BucketRule::every(1'800);
  const std::vector<Rows> writes = flushes_of(scenario);
  REQUIRE(!writes.empty());
  // 18,000 rows a bucket: four buckets' partitions of 344 bytes.
  CHECK(static_cast<double>(writes.front()) ==
        doctest::Approx((static_cast<double>(MiB(32)) - 4000 * 344) / 516).epsilon(0.01));
}

}  // namespace
}  // namespace windrow
