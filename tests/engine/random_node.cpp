#include "tests/engine/random_node.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

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
  common.enabled = !dice.chance(5);
  common.min_threshold = static_cast<int>(dice.between(2, 4));
  common.max_threshold = static_cast<int>(dice.between(4, 12));
  common.unchecked_tombstone_compaction = dice.chance(30);
  common.only_purge_repaired_tombstones = dice.chance(10);
  common.tombstone_compaction_interval_s = dice.between(600, 20'000);
  common.tombstone_threshold = static_cast<float>(dice.between(5, 40)) / 100.0F;
  return common;
}

UnifiedOptions unified_of(Dice& dice) {
  UnifiedOptions unified;
  unified.common = common_of(dice);
  unified.scaling_parameters = {static_cast<int>(dice.between(-3, 3)), static_cast<int>(dice.between(-2, 2))};
  unified.target_sstable_size_bytes = MiB(1);
  unified.min_sstable_size_bytes = dice.chance(50) ? 0 : dice.between(10, 200) * 1024;
  unified.base_shard_count = static_cast<int>(dice.between(1, 4));
  unified.max_sstables_to_compact = dice.chance(30) ? static_cast<int>(dice.between(2, 8)) : 0;
  unified.expired_sstable_check_frequency_s = dice.between(1, 4'000);
  unified.unsafe_aggressive_sstable_expiration = dice.chance(15);
  return unified;
}

CompactionOptions compaction_of(Dice& dice) {
  SizeTieredOptions tiers{.common = common_of(dice), .min_sstable_size_bytes = dice.between(1, 64) * 1024};
  switch (dice.below(4)) {
    case 0:
      return tiers;
    case 1: {
      TimeWindowOptions windows;
      windows.size_tiered = tiers;
      windows.window_unit_s = dice.chance(20) ? 60 : 3600;
      windows.window_size = dice.between(1, 6);
      windows.expired_sstable_check_frequency_s = dice.between(0, 4'000);
      windows.unsafe_aggressive_sstable_expiration = dice.chance(15);
      windows.tombstone_compactions = dice.chance(40);
      return windows;
    }
    case 2: {
      LeveledOptions levels;
      levels.size_tiered = tiers;
      levels.sstable_size_in_mb = 1;
      levels.fanout_size = 3;
      levels.single_sstable_uplevel = dice.chance(30);
      return levels;
    }
    default:
      return unified_of(dice);
  }
}

/// A time of the run, mostly on a whole minute, where background checks are.
Micros moment_of(Dice& dice, const Scenario& scenario) {
  const Micros at_us =
      scenario.start_us + dice.between(60, (scenario.end_us - scenario.start_us) / (60 * us_per_s) - 1) * 60 * us_per_s;
  return dice.chance(60) ? at_us : at_us + dice.below(60 * us_per_s);
}

void fate_of(Dice& dice, WriterSpec& writer) {
  writer.op = dice.chance(25) ? WriteOp::update : WriteOp::insert;
  if (dice.chance(60)) writer.ttl = {{.share_ppm = ppm, .ttl_s = dice.between(600, 30'000)}};
  if (dice.chance(20))
    writer.ttl = {{.share_ppm = ppm - 50'000, .ttl_s = dice.between(600, 8'000)},
                  {.share_ppm = 50'000, .ttl_s = 40'000}};
  if (dice.chance(30)) writer.late = {{.share_ppm = ppm / 20, .delay_us = dice.between(600, 30'000) * us_per_s}};
}

WriterSpec writer_of(Dice& dice, const Scenario& scenario, int table, int number) {
  WriterSpec writer;
  writer.stream = fmt::format("w{}", number);
  writer.table = table;
  writer.entities = dice.chance(15) ? dice.between(100, 400) : dice.between(1, 40);
  writer.shards = dice.chance(20) ? 2 : 1;
  writer.keys = std::make_shared<Keys>(fmt::format("{}-{}-", table, number));
  writer.from_us = scenario.start_us + dice.below(7'200) * us_per_s;
  writer.until_us = dice.chance(20) ? scenario.start_us + dice.between(10'000, 80'000) * us_per_s : scenario.end_us;
  const std::int64_t rows = dice.between(1, 6);
  const Micros period_us = dice.between(20, 300) * us_per_s;
  writer.rate = {{.from_us = writer.from_us, .rows = rows, .period_us = period_us}};
  if (dice.chance(40)) {  // a pause, then a burst
    const Micros pause_us = writer.from_us + dice.between(3'600, 40'000) * us_per_s;
    writer.rate.push_back({.from_us = pause_us, .rows = 0, .period_us = 1});
    writer.rate.push_back(
        {.from_us = pause_us + dice.between(600, 20'000) * us_per_s, .rows = 3 * rows, .period_us = period_us});
  }
  const Seconds lengths[] = {0, 3'600, 86'400};
  const Seconds length_s = lengths[dice.below(3)];
  writer.bucket = length_s == 0 ? BucketRule::none() : BucketRule::every(length_s);
  writer.clustering_bytes = 9;
  writer.columns = {{.column = "v", .position = 0, .sizes_bytes = {static_cast<std::int32_t>(dice.between(10, 200))}}};
  fate_of(dice, writer);
  return writer;
}

NodeSettings node_of(Dice& dice) {
  NodeSettings node;
  const SSTableFormat formats[] = {SSTableFormat::nb, SSTableFormat::oa, SSTableFormat::da};
  node.format = formats[dice.below(3)];
  const int threads[] = {1, 2, 3, 8};
  node.concurrent_compactors = threads[dice.below(4)];
  node.compaction_throughput_bytes_per_s = dice.chance(20) ? 0.0 : static_cast<double>(dice.between(20, 2'000));
  if (dice.chance(30)) node.merge_speed_bytes_per_s = static_cast<double>(dice.between(20, 2'000));
  if (dice.chance(30)) node.disk_bytes = MiB(51) + dice.between(1, 30) * 100'000;
  // A full disk cuts tasks down to one file, again and again: without a throttle that takes no time.
  if (node.disk_bytes > 0) node.compaction_throughput_bytes_per_s = static_cast<double>(dice.between(20, 2'000));
  if (dice.chance(30))
    node.restart_every_us =
        dice.between(300, 1'000) * 60 * us_per_s + (dice.chance(50) ? 0 : dice.below(60 * us_per_s));
  if (dice.chance(20)) node.background_check_us = dice.between(5'000, 200'000) * 1'000;
  if (dice.chance(30)) node.first_check_us = dice.between(1'000, 400'000) * 1'000;
  if (dice.chance(50)) node.other_writes_bytes_per_s = 1e5;
  if (dice.chance(50)) node.commitlog_total_space_bytes = MiB(256);
  return node;
}

TableSpec table_of(Dice& dice, int number) {
  TableSpec table;
  table.name = table.schema.name = fmt::format("t{}", number);
  table.schema.keyspace = "ks";
  table.schema.options.gc_grace_seconds = dice.chance(30) ? 0 : static_cast<std::int32_t>(dice.between(0, 20'000));
  table.schema.options.default_time_to_live =
      dice.chance(50) ? static_cast<std::int32_t>(dice.between(3'600, 40'000)) : 0;
  table.schema.options.memtable_flush_period_in_ms =
      dice.chance(20) ? static_cast<std::int32_t>(dice.between(600, 20'000)) * 1'000 : 0;
  table.schema.options.min_index_interval = dice.chance(50) ? 128 : static_cast<std::int32_t>(dice.between(1, 16));
  table.schema.options.bloom_filter_fp_chance = 1;
  table.schema.options.compaction_options = compaction_of(dice);
  table.flush_size_bytes = dice.between(4, 60) * 1024;
  return table;
}

/// An ALTER of the table as an earlier one left it.
ChangeSpec change_of(Dice& dice, const Scenario& scenario, int number, Micros at_us) {
  ChangeSpec change{.name = fmt::format("change-{}", number), .at_us = at_us};
  change.table = static_cast<int>(dice.below(std::ssize(scenario.tables)));
  change.after = scenario.tables[static_cast<std::size_t>(change.table)].schema;
  for (const ChangeSpec& earlier : scenario.changes) {
    if (earlier.table == change.table) change.after = earlier.after;
  }
  TableOptions& options = change.after.options;
  if (dice.chance(50)) options.gc_grace_seconds = static_cast<std::int32_t>(dice.between(0, 5'000));
  if (dice.chance(30)) options.default_time_to_live = static_cast<std::int32_t>(dice.between(0, 9'000));
  if (dice.chance(50)) {
    options.compaction_options = compaction_of(dice);
    options.compaction = {{"class", change.name}};
  }
  return change;
}

void add_operators(Dice& dice, Scenario& scenario) {
  std::vector<Micros> times_us;
  for (std::int64_t left = dice.below(4); left > 0; --left) times_us.push_back(moment_of(dice, scenario));
  std::ranges::sort(times_us);
  for (std::size_t i = 0; i < times_us.size(); ++i) {
    scenario.changes.push_back(change_of(dice, scenario, static_cast<int>(i), times_us[i]));
  }
  for (std::int64_t left = dice.below(4); left > 0; --left) {
    const bool flush = dice.chance(70);
    ActionSpec action{.name = "action", .at_us = moment_of(dice, scenario)};
    action.kind = flush ? ActionSpec::Kind::flush : ActionSpec::Kind::restart;
    action.table = flush ? static_cast<int>(dice.between(-1, std::ssize(scenario.tables) - 1)) : -1;
    scenario.actions.push_back(action);
  }
  std::ranges::sort(scenario.actions, {}, &ActionSpec::at_us);
}

}  // namespace

Scenario random_node(std::uint64_t seed) {
  Dice dice(seed);
  Scenario scenario;
  scenario.name = fmt::format("random-{}", seed);
  scenario.start_us = 1'767'225'600LL * us_per_s;
  scenario.end_us = scenario.start_us + dice.between(30'000, 130'000) * us_per_s;
  scenario.sample_us = dice.between(1, 400) * 60 * us_per_s;
  scenario.node = node_of(dice);
  const auto tables = static_cast<int>(dice.between(1, 4));
  int writers = 0;
  for (int t = 0; t < tables; ++t) {
    scenario.tables.push_back(table_of(dice, t));
    for (std::int64_t left = dice.between(1, 2); left > 0; --left)
      scenario.writers.push_back(writer_of(dice, scenario, t, writers++));
  }
  add_operators(dice, scenario);
  return scenario;
}

}  // namespace windrow_test
