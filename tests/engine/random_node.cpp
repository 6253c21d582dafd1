#include "tests/engine/random_node.h"

#include <fmt/core.h>

#include <memory>
#include <string>

namespace windrow_test {

namespace {

using namespace windrow;

class Keys final : public PartitionKeys {
 public:
  explicit Keys(std::string prefix) : prefix_(std::move(prefix)) {}
  std::string key(std::int64_t entity, std::int64_t bucket, std::int64_t shard) const override {
    return fmt::format("{}{}:{}:{}", prefix_, entity, bucket, shard);
  }

 private:
  std::string prefix_;
};

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ULL + 1) {}
  std::int64_t below(std::int64_t n) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<std::int64_t>((state_ >> 11) % static_cast<std::uint64_t>(n));
  }
  bool chance(int percent) { return below(100) < percent; }
  std::int64_t between(std::int64_t low, std::int64_t high) { return low + below(high - low + 1); }

 private:
  std::uint64_t state_;
};

CommonCompactionOptions common_of(Dice& dice) {
  CommonCompactionOptions common;
  common.min_threshold = static_cast<int>(dice.between(2, 4));
  common.max_threshold = static_cast<int>(dice.between(4, 12));
  common.unchecked_tombstone_compaction = dice.chance(30);
  common.tombstone_compaction_interval_s = dice.between(600, 20'000);
  common.tombstone_threshold = static_cast<float>(dice.between(5, 40)) / 100.0F;
  return common;
}

CompactionOptions compaction_of(Dice& dice) {
  SizeTieredOptions tiers{.common = common_of(dice), .min_sstable_size_bytes = dice.between(1, 64) * 1024};
  switch (dice.below(4)) {
    case 0:
      return tiers;
    case 1: {
      TimeWindowOptions windows;
      windows.size_tiered = tiers;
      windows.window_unit_s = 3600;
      windows.window_size = dice.between(1, 6);
      windows.expired_sstable_check_frequency_s = dice.between(60, 4'000);
      windows.tombstone_compactions = dice.chance(40);
      return windows;
    }
    case 2: {
      LeveledOptions levels;
      levels.size_tiered = tiers;
      levels.sstable_size_in_mb = 1;
      levels.fanout_size = 3;
      return levels;
    }
    default: {
      UnifiedOptions unified;
      unified.common = tiers.common;
      unified.scaling_parameters = {static_cast<int>(dice.between(-2, 2))};
      unified.target_sstable_size_bytes = MiB(1);
      unified.min_sstable_size_bytes = 0;
      unified.expired_sstable_check_frequency_s = dice.between(60, 4'000);
      return unified;
    }
  }
}

WriterSpec writer_of(Dice& dice, const Scenario& scenario, int table, int number) {
  WriterSpec writer;
  writer.stream = fmt::format("w{}", number);
  writer.table = table;
  writer.entities = dice.between(1, 40);
  writer.shards = dice.chance(20) ? 2 : 1;
  writer.keys = std::make_shared<Keys>(fmt::format("{}-{}-", table, number));
  writer.from_us = scenario.start_us + dice.below(7'200) * us_per_s;
  writer.until_us = scenario.end_us;
  const Micros period_us = dice.between(20, 400) * us_per_s;
  writer.rate = {{.from_us = writer.from_us, .rows = writer.entities, .period_us = period_us}};
  if (dice.chance(40)) {  // a pause, then a burst
    const Micros pause_us = writer.from_us + dice.between(3'600, 40'000) * us_per_s;
    writer.rate.push_back({.from_us = pause_us, .rows = 0, .period_us = 1});
    writer.rate.push_back({.from_us = pause_us + dice.between(600, 20'000) * us_per_s, .rows = 3 * writer.entities, .period_us = period_us});
  }
  const Seconds lengths[] = {0, 3'600, 86'400};
  const Seconds length_s = lengths[dice.below(3)];
  writer.bucket = length_s == 0 ? BucketRule::none() : BucketRule::every(length_s);
  writer.op = dice.chance(25) ? WriteOp::update : WriteOp::insert;
  writer.clustering_bytes = 9;
  writer.columns = {{.column = "v", .position = 0, .sizes_bytes = {static_cast<std::int32_t>(dice.between(10, 90))}}};
  if (dice.chance(50)) writer.ttl = {{.share_ppm = ppm, .ttl_s = dice.between(1'800, 30'000)}};
  if (dice.chance(30)) writer.late = {{.share_ppm = ppm / 20, .delay_us = dice.between(600, 30'000) * us_per_s}};
  return writer;
}

}  // namespace

Scenario random_node(std::uint64_t seed) {
  Dice dice(seed);
  Scenario scenario;
  scenario.name = fmt::format("random-{}", seed);
  scenario.start_us = 1'767'225'600LL * us_per_s;
  scenario.end_us = scenario.start_us + dice.between(1, 3) * 86'400 * us_per_s;
  scenario.node.format = SSTableFormat::oa;
  scenario.node.concurrent_compactors = static_cast<int>(dice.between(1, 8));
  scenario.node.compaction_throughput_bytes_per_s = dice.chance(30) ? 0.0 : static_cast<double>(dice.between(20, 5'000));
  if (dice.chance(30)) scenario.node.disk_bytes = MiB(51) + dice.between(1, 30) * 100'000;
  if (dice.chance(40)) scenario.node.restart_every_us = dice.between(20'000, 60'000) * us_per_s + 7;
  if (dice.chance(50)) scenario.node.other_writes_bytes_per_s = 1e5;
  if (dice.chance(50)) scenario.node.commitlog_total_space_bytes = MiB(256);
  const auto tables = static_cast<int>(dice.between(1, 3));
  for (int t = 0; t < tables; ++t) {
    TableSpec table;
    table.name = table.schema.name = fmt::format("t{}", t);
    table.schema.keyspace = "ks";
    table.schema.options.gc_grace_seconds = static_cast<std::int32_t>(dice.between(0, 20'000));
    table.schema.options.default_time_to_live = dice.chance(50) ? static_cast<std::int32_t>(dice.between(3'600, 40'000)) : 0;
    table.schema.options.bloom_filter_fp_chance = 1;
    table.schema.options.compaction_options = compaction_of(dice);
    table.flush_size_bytes = dice.between(4, 60) * 1024;
    scenario.tables.push_back(std::move(table));
    const std::int64_t writers = dice.between(1, 2);
    for (int w = 0; w < writers; ++w) scenario.writers.push_back(writer_of(dice, scenario, t, w));
  }
  if (dice.chance(40)) {
    ChangeSpec change{.name = "change", .at_us = scenario.start_us + dice.between(20'000, 60'000) * us_per_s + 3};
    change.after = scenario.tables[0].schema;
    change.after.options.gc_grace_seconds = static_cast<std::int32_t>(dice.between(0, 5'000));
    if (dice.chance(50)) {
      change.after.options.compaction_options = compaction_of(dice);
      change.after.options.compaction = {{"class", "changed"}};
    }
    scenario.changes.push_back(std::move(change));
  }
  return scenario;
}

}  // namespace windrow_test
